/** Live progress: a line for each finished step and, on a terminal, a spinner for the current one. */

/** Shows progress. */
export interface Progress {
  readonly line: (text: string) => void
  /** Prints a finished step. */
  readonly done: (text: string) => void
  /** Shows the current step until the next call. */
  readonly wait: (text: string) => void
  /** Stops the spinner. */
  readonly stop: () => void
}

/** The parts of an output stream that the progress display uses. */
interface Out {
  readonly isTTY?: boolean
  readonly columns?: number
  readonly write: (text: string) => unknown
}

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]
const clear = "\r\u001b[2K"

const plain = (out: Out): Progress => ({
  line: (text) => void out.write(`${text}\n`),
  done: (text) => void out.write(`  - ${text}\n`),
  wait: () => undefined,
  stop: () => undefined
})

const live = (out: Out, colours: boolean): Progress => {
  const green = (text: string) => (colours ? `\u001b[32m${text}\u001b[0m` : text)
  let timer: NodeJS.Timeout | undefined
  const stop = () => {
    if (timer === undefined) return
    clearInterval(timer)
    timer = undefined
    out.write(clear)
  }
  const say = (text: string) => {
    stop()
    out.write(`${text}\n`)
  }
  return {
    line: say,
    done: (text) => say(`  ${green("✔")} ${text}`),
    wait: (text) => {
      stop()
      let frame = 0
      // A line that wraps cannot be cleared.
      const shown = `${text} …`.slice(0, (out.columns ?? 80) - 5)
      const draw = () => void out.write(`${clear}  ${frames[frame++ % frames.length]} ${shown}`)
      draw()
      timer = setInterval(draw, 80)
      timer.unref()
    },
    stop
  }
}

/** Shows progress on a terminal or in a pipe. */
export const make = (out: Out, { colours }: { readonly colours: boolean }): Progress =>
  out.isTTY === true ? live(out, colours) : plain(out)
