/**
 * Replaces `Intl.Segmenter` in the bundle. The framework creates a segmenter at load time, and creating the real one
 * takes longer than printing the entire help text.
 */

/**
 * Creates the real segmenter on first use. ASCII text does not need the real segmenter, because each ASCII character is
 * a grapheme.
 */
export class LazySegmenter {
  readonly #args: ConstructorParameters<typeof Intl.Segmenter>
  #real: Intl.Segmenter | undefined

  constructor(...args: ConstructorParameters<typeof Intl.Segmenter>) {
    this.#args = args
  }

  segment(text: string): Iterable<{ readonly segment: string }> {
    if (/^[ -~]*$/.test(text)) return Array.from(text, (segment) => ({ segment }))
    // Not `Intl.Segmenter`: the bundler would replace that name in this file, too.
    const { Segmenter } = Intl
    this.#real ??= new Segmenter(...this.#args)
    return this.#real.segment(text)
  }
}
