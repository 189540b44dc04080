// Run, 2026-11-29: the scripts, by sh with PoCL 3.1 (TestRecipesModules). Not run: Nextflow, nf-core lint, containers.
process SUFFIXCL_BUILDBOWTIE2 {
    tag "$meta.id"
    label 'process_medium'

    conda "${moduleDir}/environment.yml"
    container "${task.ext.container ?: 'suffixcl:0.2.0'}"

    input:
    tuple val(meta), path(fasta)

    output:
    tuple val(meta), path("bowtie2"), emit: index
    tuple val("${task.process}"), val('suffixcl'), eval("suffixcl version | cut -d ' ' -f 2"), emit: versions_suffixcl, topic: versions

    when:
    task.ext.when == null || task.ext.when

    script:
    def args = task.ext.args ?: ''
    prefix = task.ext.prefix ?: "${fasta.baseName}"
    """
    mkdir bowtie2
    suffixcl build bowtie2 --quiet $args $fasta bowtie2/${prefix}
    """

    stub:
    prefix = task.ext.prefix ?: "${fasta.baseName}"
    """
    mkdir bowtie2
    touch bowtie2/${prefix}.1.bt2
    touch bowtie2/${prefix}.2.bt2
    touch bowtie2/${prefix}.3.bt2
    touch bowtie2/${prefix}.4.bt2
    touch bowtie2/${prefix}.rev.1.bt2
    touch bowtie2/${prefix}.rev.2.bt2
    """
}
