// Run, 2026-11-29: the scripts, by sh with PoCL 3.1 (TestRecipesModules). Not run: Nextflow, nf-core lint, containers.
process SUFFIXCL_BUILDBWA {
    tag "$meta.id"
    label 'process_medium'

    conda "${moduleDir}/environment.yml"
    container "${task.ext.container ?: 'suffixcl:0.2.0'}"

    input:
    tuple val(meta), path(fasta)

    output:
    tuple val(meta), path("bwa"), emit: index
    tuple val("${task.process}"), val('suffixcl'), eval("suffixcl version | cut -d ' ' -f 2"), emit: versions_suffixcl, topic: versions

    when:
    task.ext.when == null || task.ext.when

    script:
    def args = task.ext.args ?: ''
    prefix = task.ext.prefix ?: "${fasta.baseName}"
    """
    mkdir bwa
    suffixcl build bwa --quiet $args $fasta bwa/${prefix}
    """

    stub:
    prefix = task.ext.prefix ?: "${fasta.baseName}"
    """
    mkdir bwa
    touch bwa/${prefix}.amb
    touch bwa/${prefix}.ann
    touch bwa/${prefix}.bwt
    touch bwa/${prefix}.pac
    touch bwa/${prefix}.sa
    """
}
