import * as Effect from "effect/Effect"
import { mkdtempSync, rmSync } from "node:fs"
import { Server } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it, onTestFinished, vi } from "vitest"
import { evmProcessOf, eventually, runs } from "../../../tooling/testing/processes.js"
import * as EvmNode from "../src/EvmNode.js"
import { type DevnetError, startDevnet } from "../src/index.js"
import { chooseEngine } from "../src/internal/evm/engine.js"
import { program, stuckAnvil } from "./processes.js"

const folder = mkdtempSync(join(tmpdir(), "geoswap-devnet-"))
afterAll(() => rmSync(folder, { recursive: true }))

/** Collects the warnings of this process. */
const warnings = (): ReadonlyArray<Error> => {
  const seen: Array<Error> = []
  const collect = (warning: Error) => void seen.push(warning)
  process.on("warning", collect)
  onTestFinished(() => void process.off("warning", collect))
  return seen
}

/** Closes a server of this process, as a bug might. */
const closeServerOn = (port: number): void => {
  const { _getActiveHandles } = process as unknown as { readonly _getActiveHandles: () => ReadonlyArray<unknown> }
  const servers = _getActiveHandles.call(process).filter((handle) => handle instanceof Server)
  const server = servers.find((one) => (one.address() as { readonly port: number } | null)?.port === port)
  if (server === undefined) throw new Error(`Nothing in this process listens on port ${port}.`)
  server.close()
  server.closeAllConnections()
}

describe("a chain that dies", () => {
  it("is reported once to onDeath and to every caller of died, with its last error output", async () => {
    const deaths: Array<DevnetError.ChainDied> = []
    const { args, command } = chooseEngine({})
    const others = chooseEngine({ evm: "anvil" }).args.length
    const run = `shift ${others}\nexec "${command}" "${args.join('" "')}" "$@"`
    const anvil = program(folder, "noisy-anvil", `#!/bin/sh\necho "disk almost full" >&2\n${run}\n`)
    await using devnet = await startDevnet({ ports: "free", anvil, onDeath: (death) => void deaths.push(death) })
    const port = new URL(devnet.evmB.rpcUrl).port
    const waiting = [devnet.died(), devnet.died()].map((died) => died.catch((error: unknown) => error))
    process.kill(evmProcessOf(process.pid, 31338), "SIGKILL")
    const message = `EVM chain 31338 is down: its anvil process on port ${port} exited with code 137 (SIGKILL). It printed on standard error:\ndisk almost full`
    const expected = { _tag: "ChainDied", part: "EVM chain 31338", code: 137, output: "disk almost full", message }
    for (const death of await Promise.all(waiting)) expect(death).toMatchObject(expected)
    // Also if called afterwards.
    await expect(devnet.died()).rejects.toMatchObject(expected)
    await eventually(() => deaths.length > 0)
    const other = evmProcessOf(process.pid, 31337)
    process.kill(other, "SIGKILL")
    await eventually(() => !runs(other))
    expect(deaths).toMatchObject([expected])
  })

  it("emits a process warning by default, but not when a devnet is stopped", async () => {
    const seen = warnings()
    const [first, second] = await Promise.all([startDevnet({ ports: "free" }), startDevnet({ ports: "free" })])
    await first.stop()
    closeServerOn(Number(new URL(second.solana.rpcUrl).port))
    await expect(second.died()).rejects.toMatchObject({ _tag: "ChainDied", part: "the Solana JSON-RPC server" })
    await second.stop()
    const deaths = seen.filter(({ name }) => name === "ChainDied")
    expect(deaths.map(({ message }) => message)).toEqual([
      `The Solana chain is down because the Solana JSON-RPC server stopped listening on port ${new URL(second.solana.rpcUrl).port}: its server was closed.`
    ])
  })
})

it("reports the exit code of an anvil that dies during deployment", async () => {
  const text = `#!/bin/sh\necho "Listening on 127.0.0.1:1"\necho "out of memory" >&2\nsleep 0.2\nexit 3\n`
  const anvil = program(folder, "dying-anvil", text)
  await expect(startDevnet({ ports: "free", anvil })).rejects.toMatchObject({
    _tag: "ChainDied",
    code: 3,
    message: expect.stringMatching(
      /is down: .* exited with code 3\. It printed on standard error:\nout of memory$/
    ) as string
  })
})

it("reports the exit code and output of an anvil that exits before it listens", async () => {
  const anvil = program(folder, "broken-anvil", `#!/bin/sh\necho "unknown hardfork" >&2\nexit 2\n`)
  await expect(startDevnet({ ports: "free", anvil })).rejects.toMatchObject({
    _tag: "StartFailed",
    message: expect.stringMatching(
      /^EVM chain 3133[78] did not start: anvil \(.*broken-anvil\) exited with code 2\. It printed:\nunknown hardfork$/
    ) as string
  })
})

it("reports an anvil that runs but does not listen, after 30 seconds", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
  onTestFinished(() => void vi.useRealTimers())
  const options = { chainId: 31337, port: 0, anvil: stuckAnvil(folder), blockTime: 0 }
  const starting = Effect.runPromise(Effect.flip(Effect.scoped(EvmNode.make(options))))
  await vi.waitUntil(() => vi.getTimerCount() > 0)
  await vi.advanceTimersByTimeAsync(30_000)
  const { _tag, message } = await starting
  expect(_tag).toBe("StartFailed")
  expect(message).toMatch(
    /^EVM chain 31337 did not start: anvil \(.*stuck-anvil\) is running as process group \d+, but did not report its port within 30 s\. .* It printed nothing\.$/
  )
})
