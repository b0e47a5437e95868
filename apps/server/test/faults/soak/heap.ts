/** The heap of a process after a garbage collection, through Node's inspector. */

/** The URL that Node prints with `--inspect=0`. */
export const inspectorOf = (stderr: string): string | undefined => /ws:\/\/127\.0\.0\.1:\d+\/\S+/.exec(stderr)?.[0]

interface Answer {
  readonly id: number
  readonly result?: { readonly usedSize?: number }
}

/** Collects garbage there, and returns the remaining megabytes. */
export const liveMegabytes = async (address: string): Promise<number> => {
  const socket = new WebSocket(address)
  try {
    await new Promise((resolve, reject) => {
      socket.addEventListener("open", resolve, { once: true })
      socket.addEventListener("error", () => reject(new Error("The inspector does not answer.")), { once: true })
    })
    const ask = (id: number, method: string) =>
      new Promise<Answer>((resolve) => {
        const onMessage = ({ data }: MessageEvent) => {
          const answer = JSON.parse(String(data)) as Answer
          if (answer.id !== id) return
          socket.removeEventListener("message", onMessage)
          resolve(answer)
        }
        socket.addEventListener("message", onMessage)
        socket.send(JSON.stringify({ id, method }))
      })
    await ask(1, "HeapProfiler.collectGarbage")
    const { result } = await ask(2, "Runtime.getHeapUsage")
    return (result?.usedSize ?? Number.NaN) / 1024 ** 2
  } finally {
    socket.close()
  }
}
