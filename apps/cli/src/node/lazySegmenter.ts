/**
 * What the bundle has in place of `Intl.Segmenter`: the framework makes one as it is loaded, and the real one takes
 * longer to make than all of help to print.
 */

/** A segmenter that is made once a text needs it: one of plain ASCII has a grapheme per character. */
export class LazySegmenter {
  readonly #given: ConstructorParameters<typeof Intl.Segmenter>
  #real: Intl.Segmenter | undefined

  constructor(...given: ConstructorParameters<typeof Intl.Segmenter>) {
    this.#given = given
  }

  segment(text: string): Iterable<{ readonly segment: string }> {
    if (/^[ -~]*$/.test(text)) return Array.from(text, (segment) => ({ segment }))
    // Not by its name: that is replaced in this file, too.
    const { Segmenter } = Intl
    this.#real ??= new Segmenter(...this.#given)
    return this.#real.segment(text)
  }
}
