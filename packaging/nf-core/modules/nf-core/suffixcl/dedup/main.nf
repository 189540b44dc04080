// Run, 2026-11-29: the scripts, by sh with PoCL 3.1 (TestRecipesModules). Not run: Nextflow, nf-core lint, containers.
process SUFFIXCL_DEDUP {
    tag "$meta.id"
    label 'process_medium'

    conda "${moduleDir}/environment.yml"
    container "${task.ext.container ?: 'suffixcl:0.2.0'}"

    input:
    tuple val(meta), path(texts, stageAs: 'texts/?/*')

    output:
    tuple val(meta), path("${prefix}.byterange"), emit: ranges
    tuple val(meta), path("${prefix}")          , emit: cleaned
    tuple val(meta), path("${prefix}.tsv")      , emit: report
    tuple val("${task.process}"), val('suffixcl'), eval("suffixcl version | cut -d ' ' -f 2"), emit: versions_suffixcl, topic: versions

    when:
    task.ext.when == null || task.ext.when

    script:
    def args = task.ext.args ?: ''
    prefix = task.ext.prefix ?: "${meta.id}"
    """
    suffixcl dedup --quiet --keep first $args texts -o ${prefix}.byterange --write ${prefix} --report ${prefix}.tsv
    """

    stub:
    prefix = task.ext.prefix ?: "${meta.id}"
    """
    mkdir ${prefix}
    touch ${prefix}.byterange ${prefix}.tsv
    """
}
