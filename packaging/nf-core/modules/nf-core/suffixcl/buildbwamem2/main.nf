// Run, 2026-11-29: the scripts, by sh with PoCL 3.1 (TestRecipesModules). Not run: Nextflow, nf-core lint, containers.
process SUFFIXCL_BUILDBWAMEM2 {
    tag "$meta.id"
    label 'process_medium'

    conda "${moduleDir}/environment.yml"
    container "${task.ext.container ?: 'suffixcl:0.2.0'}"

    input:
    tuple val(meta), path(fasta)

    output:
    tuple val(meta), path("bwamem2"), emit: index
    tuple val("${task.process}"), val('suffixcl'), eval("suffixcl version | cut -d ' ' -f 2"), emit: versions_suffixcl, topic: versions

    when:
    task.ext.when == null || task.ext.when

    script:
    def args = task.ext.args ?: ''
    prefix = task.ext.prefix ?: "${fasta.baseName}"
    """
    mkdir bwamem2
    suffixcl build bwa-mem2 --quiet $args $fasta bwamem2/${prefix}
    """

    stub:
    prefix = task.ext.prefix ?: "${fasta.baseName}"
    """
    mkdir bwamem2
    touch bwamem2/${prefix}.0123
    touch bwamem2/${prefix}.amb
    touch bwamem2/${prefix}.ann
    touch bwamem2/${prefix}.bwt.2bit.64
    touch bwamem2/${prefix}.pac
    """
}
