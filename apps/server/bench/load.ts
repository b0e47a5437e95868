/** The load generator: persistent connections with one request at a time, and minimal work per response. */
import { connect, type Socket } from "node:net"
import { answer } from "./childProcess.ts"

interface Target {
  readonly port: number
  /** Whole requests as bytes. */
  readonly requests: ReadonlyArray<string>
}

export interface Run extends Target {
  readonly connections: number
  /** Repeats the requests for this many seconds (default: sends each of them once). */
  readonly seconds?: number | undefined
}

/** Sends each request once, up to this time: signed operations expire on a slow machine. */
const longestSeconds = 60

export interface Outcome {
  readonly count: number
  readonly seconds: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  /** The number of responses by status. */
  readonly statuses: Readonly<Record<string, number>>
  /** The body of the last response that was not 200. */
  readonly refusal?: string
}

const ending = Buffer.from("\r\n\r\n")

/** Calls back for every whole response on a connection. */
const onAnswers = (socket: Socket, onAnswer: (status: string, body: () => string) => void): void => {
  let rest: Buffer = Buffer.alloc(0)
  socket.on("data", (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    for (;;) {
      const head = rest.indexOf(ending)
      if (head === -1) return
      const text = rest.toString("latin1", 0, head)
      const at = text.toLowerCase().indexOf("content-length: ")
      const end = head + ending.length + Number.parseInt(text.slice(at + 16), 10)
      if (rest.length < end) return
      const whole = rest
      rest = rest.subarray(end)
      onAnswer(text.slice(9, 12), () => whole.toString("utf8", head + ending.length, end))
    }
  })
}

const open = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true }, () => resolve(socket))
    socket.once("error", reject)
  })

const at = (sorted: Float64Array, part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0

const summary = (took: ReadonlyArray<number>, seconds: number, statuses: Record<string, number>, refusal = "") => {
  const sorted = Float64Array.from(took).toSorted()
  return {
    count: took.length,
    seconds,
    p50: at(sorted, 0.5),
    p99: at(sorted, 0.99),
    statuses,
    ...(refusal !== "" && { refusal })
  } satisfies Outcome
}

const run = async ({ connections, port, requests, seconds }: Run): Promise<Outcome> => {
  const wires = requests.map((request) => Buffer.from(request))
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)))
  const took: Array<number> = []
  const statuses: Record<string, number> = {}
  let refusal = ""
  let next = 0
  const begin = performance.now()
  const until = begin + (seconds ?? longestSeconds) * 1_000
  await Promise.all(
    sockets.map(
      (socket) =>
        new Promise<void>((resolve, reject) => {
          let sentAt = 0
          const send = () => {
            const now = performance.now()
            const wire = wires[seconds === undefined ? next : next % wires.length]
            if (now >= until || wire === undefined) return resolve()
            next++
            sentAt = now
            socket.write(wire)
          }
          onAnswers(socket, (status, body) => {
            took.push(performance.now() - sentAt)
            statuses[status] = (statuses[status] ?? 0) + 1
            if (status !== "200") refusal = body()
            send()
          })
          socket.once("close", () => reject(new Error("A connection was closed.")))
          send()
        })
    )
  )
  const ended = (performance.now() - begin) / 1_000
  for (const socket of sockets) socket.removeAllListeners("close").destroy()
  return summary(took, ended, statuses, refusal)
}

/** Held requests, and when they were answered. */
let holding: ReadonlyArray<Socket> = []
let answeredAt: Array<number> = []
let heldStatuses: Record<string, number> = {}

/** How many connections are opened at once: the listen backlog is limited. */
const atOnce = 200

const hold = async ({ port, requests }: Target): Promise<void> => {
  const sockets: Array<Socket> = []
  answeredAt = []
  heldStatuses = {}
  for (let from = 0; from < requests.length; from += atOnce) {
    const some = requests.slice(from, from + atOnce)
    const opened = await Promise.all(some.map(() => open(port)))
    for (const [index, socket] of opened.entries()) {
      const request = some[index] ?? ""
      onAnswers(socket, (status, body) => {
        // Polls as a caller does, until the swap finishes.
        if (status === "200" && body().includes('"pending"')) return void socket.write(request)
        answeredAt.push(Date.now())
        heldStatuses[status] = (heldStatuses[status] ?? 0) + 1
      })
      socket.write(request)
      sockets.push(socket)
    }
  }
  holding = sockets
}

/** Waits for all responses, or for a timeout. */
const answered = async (millis: number) => {
  const until = Date.now() + millis
  while (answeredAt.length < holding.length && Date.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  for (const socket of holding) socket.destroy()
  const sorted = Float64Array.from(answeredAt).toSorted()
  return {
    count: sorted.length,
    first: sorted[0] ?? 0,
    median: at(sorted, 0.5),
    last: sorted.at(-1) ?? 0,
    statuses: heldStatuses
  }
}

answer({ run, hold, held: () => answeredAt.length, answered })
