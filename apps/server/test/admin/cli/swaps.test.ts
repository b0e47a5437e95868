import { layer } from "@effect/vitest"
import { GeoVault } from "@geoswap/contracts"
import { Amount } from "@geoswap/core"
import * as Effect from "effect/Effect"
import { spawn, spawnSync } from "node:child_process"
import { readFileSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { stripVTControlCharacters } from "node:util"
import type { Address, Hash } from "viem"
import { describe, expect, vi } from "vitest"
import * as evm from "../../stack/evm.js"
import { built, type Workspace, run, start, until } from "../../stack/program.js"
import { folder } from "./fixture.js"
import { SwapsFixture, swapsFixture } from "./swapsFixture.js"

// Every started process loads the whole service.
vi.setConfig({ testTimeout: 300_000 })

type Fields = Readonly<Record<string, unknown>>
type Cells = Readonly<Record<string, string | number | null>>

const linesOf = (text: string) => text.trimEnd().split("\n")

/** Runs a command that must succeed and returns its output. */
const print = (workspace: Workspace, ...args: ReadonlyArray<string>) =>
  Effect.map(run(workspace, ...args), ({ code, stderr, stdout }) => {
    expect([code, stderr]).toEqual([0, ""])
    return stdout
  })

const json = <A>(workspace: Workspace, ...args: ReadonlyArray<string>) =>
  Effect.map(print(workspace, ...args, "--json"), (text) => JSON.parse(text) as A)

/** A list of swaps as printed with `--json`. */
interface Listed<A> {
  readonly swaps: ReadonlyArray<A>
  readonly more: boolean
}

/** A swap as printed with `--json`. */
interface ShownSwap extends Fields {
  readonly orderId: string
  readonly originTxHash: string | null
  readonly deliveryTxHash: string | null
  readonly refundTxHash: string | null
  readonly events: ReadonlyArray<{ readonly state: string }>
  readonly transactions: ReadonlyArray<{ readonly kind: string; readonly hash: string; readonly raw?: string }>
  readonly spentGas: ReadonlyArray<
    Readonly<Record<"hash" | "gasUsed" | "gasPrice" | "cost" | "share", string>> & {
      readonly kind: "collect" | "deliver" | "refund"
      readonly chain: number
      readonly settled: number
    }
  >
}

/** Parses the rows of a CSV (RFC 4180). */
const parseCsv = (text: string): ReadonlyArray<ReadonlyArray<string>> => {
  expect(text.endsWith("\r\n")).toBe(true)
  const cells = [...text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)]
  const rows: Array<Array<string>> = [[]]
  for (const [, quoted, bare, end] of cells) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? bare ?? "")
    if (end === "\r\n") rows.push([])
  }
  return rows.slice(0, -1)
}

describe("operator commands beside a server", () => {
  layer(swapsFixture, { timeout: 180_000, excludeTestServices: true })((it) => {
    it.effect("watch prints the swaps in progress, and each change, until a signal stops it", () =>
      Effect.gen(function* () {
        const { workspace, swaps } = yield* SwapsFixture
        const watching = yield* start(workspace, ["watch", "--json", "--interval", "0.1"])
        yield* until(() => watching.stdout().includes("\n"), "a swap")
        yield* watching.kill("SIGINT")
        const ended = yield* watching.ended
        expect([ended.code, ended.stderr]).toEqual([0, ""])
        expect(linesOf(ended.stdout).map((line) => JSON.parse(line) as object)).toMatchObject([
          { id: swaps.open.swapId, state: "origin_sent", waitsFor: "the input to be final on devnet-a" }
        ])
        const invalid = yield* run(workspace, "watch", "--interval", "soon")
        expect([invalid.code, invalid.stderr]).toEqual([64, expect.stringContaining("a number of seconds")])
      })
    )

    const script = "script"
    const hasPty = /util-linux/.test(spawnSync(script, ["--version"], { encoding: "utf8" }).stdout)
    it.effect.skipIf(!hasPty)("watch shows a live table on a terminal, whose lines fit its width", () =>
      Effect.gen(function* () {
        const { workspace, swaps } = yield* SwapsFixture
        const command = `stty rows 10 cols 90; exec '${process.execPath}' '${built}' watch --interval 0.1`
        const child = spawn(script, ["-qec", command, "/dev/null"], {
          cwd: workspace.folder,
          env: { PATH: process.env["PATH"], TERM: "xterm", SHELL: "/bin/sh", ...workspace.environment },
          stdio: ["pipe", "pipe", "inherit"]
        })
        let shown = ""
        child.stdout.on("data", (chunk: Buffer) => void (shown += chunk.toString()))
        const closed = new Promise<number | null>((resolve) => child.on("close", resolve))
        yield* until(() => (shown.match(/1 swap in progress/g) ?? []).length > 2, "three frames")
        child.stdin.write("\u0003")
        expect(yield* Effect.promise(() => closed)).toBe(0)
        const lines = stripVTControlCharacters(shown).split(/\r?\n/)
        expect(lines.find((line) => line.startsWith(swaps.open.swapId))).toContain("origin_sent")
        expect(lines.filter((line) => line.length > 90 || /\.\d{7}/.test(line))).toEqual([])
      })
    )

    it.effect("swaps list shows the newest swaps first, in tokens, and what each is waiting for", () =>
      Effect.gen(function* () {
        const { workspace, swaps } = yield* SwapsFixture
        const [head = "", ...rows] = linesOf(yield* print(workspace, "swaps", "list"))
        expect(head.split(/ {2,}/)).toEqual(["id", "age", "state", "route", "account", "waiting for, or reason"])
        const cells = rows.map((row) => row.split(/ {2,}/))
        expect(cells.map(([id]) => id)).toEqual(
          [swaps.open, swaps.refunded, swaps.failed, swaps.settled, swaps.fromSolana].map(({ swapId }) => swapId)
        )
        const [open, refunded, failed, settled, fromSolana] = cells
        expect(open?.slice(2)).toEqual([
          "origin_sent",
          expect.stringMatching(/^10 USDC devnet-a → 0\.00\d+ WETH devnet-b$/),
          "Ada",
          "the input to be final on devnet-a"
        ])
        expect(refunded?.slice(2)).toEqual([
          "refunded",
          expect.stringMatching(/^10 USDC devnet-a → 9\.\d+ =STOP devnet-b$/),
          "Ada",
          "REVERTED"
        ])
        expect(failed?.slice(2, 3)).toEqual(["failed"])
        expect(failed?.slice(4)).toEqual(['=Bob, "Bob"', "INSUFFICIENT_BALANCE"])
        expect(settled?.slice(2)).toEqual(["settled", expect.any(String), "Ada"])
        expect(fromSolana?.[3]).toMatch(/^10 USDC devnet-solana → 0\.00\d+ WETH devnet-b$/)
        expect(open?.[1]).toMatch(/^\d+[sm]$/)
      })
    )

    it.effect("swaps list filters swaps and reports if there are more", () =>
      Effect.gen(function* () {
        const { workspace, swaps, wallets } = yield* SwapsFixture
        const idsOf = (...args: ReadonlyArray<string>) =>
          Effect.map(json<Listed<Fields>>(workspace, "swaps", "list", ...args), ({ swaps }) =>
            swaps.map(({ id }) => id)
          )
        const { failed, fromSolana, open, refunded, settled } = swaps
        expect(yield* idsOf("--state", "settled")).toEqual([settled.swapId, fromSolana.swapId])
        expect(yield* idsOf("--open")).toEqual([open.swapId])
        expect(yield* idsOf("--account", '=Bob, "Bob"')).toEqual([failed.swapId])
        expect(yield* idsOf("--wallet", wallets.bob.address.toLowerCase())).toEqual([failed.swapId])
        expect(yield* idsOf("--wallet", wallets.ada.address, "--ended")).toEqual([refunded.swapId, settled.swapId])
        expect(yield* idsOf("--until", "1h")).toEqual([])
        const {
          more,
          swaps: [newest]
        } = yield* json<Listed<{ readonly createdAt: string }>>(workspace, "swaps", "list")
        expect(more).toBe(false)
        expect(yield* idsOf("--since", newest?.createdAt ?? "")).toEqual([open.swapId])
        expect(yield* idsOf("--until", newest?.createdAt ?? "")).toHaveLength(4)

        const two = yield* run(workspace, "swaps", "list", "--limit", "2")
        expect([two.code, linesOf(two.stdout).length]).toEqual([0, 3])
        expect(two.stderr).toBe("Showing the newest 2 swaps. Use --limit and --until to see more.\n")
        expect(yield* print(workspace, "swaps", "list", "--state", "refund_sent")).toBe("No swaps found.\n")
        const unknown = yield* run(workspace, "swaps", "list", "--account", "Eve")
        expect(unknown).toEqual({
          code: 1,
          stdout: "",
          stderr: 'No account is named "Eve". List the accounts: geoswap-server keys list\n'
        })
      })
    )

    it.effect("swaps show prints the terms, the steps and the delivery of a settled swap", () =>
      Effect.gen(function* () {
        const { workspace, recipient, swaps, wallets } = yield* SwapsFixture
        const { swapId } = swaps.settled
        const reported = yield* json<ShownSwap>(workspace, "swaps", "show", swapId)
        const text = yield* print(workspace, "swaps", "show", swapId)
        expect(linesOf(text)[0]).toBe(`Swap ${swapId} is settled.`)
        for (const words of [
          /Route +10 USDC devnet-a → 0\.00\d+ WETH devnet-b\n/,
          /Account +Ada\n/,
          new RegExp(`Wallet +${wallets.ada.address} on devnet-a\n`, "i"),
          new RegExp(`Recipient +${recipient} on devnet-b\n`, "i"),
          /Input +10 USDC \(10000000 of 0x\w{40}\)\n/,
          /Output +0\.00\d+ WETH \(\d+ of 0x\w{40}\), at least 0\.00\d+ WETH\n/,
          /Fee +10 basis points, 0\.01 USDC\n/,
          /Network cost +\d[\d.]* USDC\n/,
          /Deadline +20\d\d-\d\d-\d\dT[\d:.]+Z\n/,
          /Z {2,}\+[\d.]+s {2,}origin_prepared {2,}the collection transaction was signed: 0x\w{64}\n/,
          /collect on devnet-a +nonce \d+ +0x\w{64} +at most [\d.,]+ gwei, tip [\d.,]+ gwei\n/,
          /deliver on devnet-b +nonce \d+ +0x\w{64} +at most/
        ]) {
          expect(text).toMatch(words)
        }
        expect(linesOf(text).at(-1)).toMatch(
          new RegExp(`^0\\.00\\d+ WETH arrived at ${recipient} on devnet-b in ${reported.deliveryTxHash}\\.$`, "i")
        )
        expect(reported.events.map(({ state }) => state)).toEqual(
          expect.arrayContaining(["accepted", "origin_final", "delivery_prepared", "settled"])
        )
        expect(reported).toMatchObject({
          id: swapId,
          state: "settled",
          account: "Ada",
          amount: "10000000",
          fee: "10000"
        })
        expect(reported["output"]).toBe(`${swaps.settled.output}`)
      })
    )

    it.effect("swaps show prints why a swap failed or was refunded, and where its input is", () =>
      Effect.gen(function* () {
        const { workspace, swaps, wallets } = yield* SwapsFixture
        const failed = yield* print(workspace, "swaps", "show", swaps.failed.swapId)
        expect(linesOf(failed).slice(-2)).toEqual([
          "It failed: the wallet no longer held the input (INSUFFICIENT_BALANCE).",
          expect.stringMatching(
            new RegExp(`^No tokens moved, and none can: 10 USDC stayed in ${wallets.bob.address} on devnet-a`, "i")
          )
        ])
        const { refundTxHash } = yield* json<ShownSwap>(workspace, "swaps", "show", swaps.refunded.swapId)
        expect(refundTxHash).toMatch(/^0x\w{64}$/)
        const refunded = yield* print(workspace, "swaps", "show", swaps.refunded.swapId)
        expect(linesOf(refunded).slice(-2)).toEqual([
          "It was not delivered: the chain rejected the transaction (REVERTED).",
          expect.stringMatching(
            new RegExp(
              `^The entire input, 10 USDC, was refunded to ${wallets.ada.address} on devnet-a in ${refundTxHash}`,
              "i"
            )
          )
        ])
        expect(refunded).toMatch(/ refund on devnet-a +nonce \d+ /)
      })
    )

    it.effect("swaps show and export report what the chain charged for each transaction", () =>
      Effect.gen(function* () {
        const { devnet, workspace, swaps } = yield* SwapsFixture
        const { evmA, evmB } = devnet
        const exported = linesOf(yield* print(workspace, "export")).map((line) => JSON.parse(line) as Fields)
        for (const { swapId } of [swaps.settled, swaps.failed, swaps.refunded]) {
          const { spentGas } = yield* json<ShownSwap>(workspace, "swaps", "show", swapId)
          const sums = { collect: 0n, deliver: 0n, refund: 0n }
          for (const { chain, cost, gasPrice, gasUsed, hash, kind, settled, share } of spentGas) {
            const receipt = yield* Effect.promise(() =>
              evm.reader(chain === evmA.id ? evmA : evmB).getTransactionReceipt({ hash: hash as Hash })
            )
            expect([BigInt(gasUsed), BigInt(gasPrice)]).toEqual([receipt.gasUsed, receipt.effectiveGasPrice])
            expect(BigInt(cost)).toBe(receipt.gasUsed * receipt.effectiveGasPrice)
            expect([settled, share]).toEqual([receipt.status === "success" ? 1 : 0, cost])
            sums[kind] += BigInt(share)
          }
          const text = (wei: bigint) => (wei === 0n ? null : `${wei}`)
          expect(exported.find(({ id }) => id === swapId)).toMatchObject({
            collectSpentWei: text(sums.collect),
            deliverSpentWei: text(sums.deliver),
            refundSpentWei: text(sums.refund)
          })
          expect(sums.collect).toBeGreaterThan(0n)
        }
        const kindsOf = (swapId: string) =>
          Effect.map(json<ShownSwap>(workspace, "swaps", "show", swapId), ({ spentGas }) =>
            spentGas.map(({ kind }) => kind)
          )
        expect(yield* kindsOf(swaps.settled.swapId)).toEqual(["collect", "deliver"])
        expect(yield* kindsOf(swaps.failed.swapId)).toEqual(["collect"])
        expect(yield* kindsOf(swaps.refunded.swapId)).toEqual(["collect", "refund"])
        // Solana's fee is not recorded.
        expect(yield* kindsOf(swaps.fromSolana.swapId)).toEqual(["deliver"])
        const settled = yield* print(workspace, "swaps", "show", swaps.settled.swapId)
        expect(settled).toMatch(/Spent on gas +0\.\d+ ETH on devnet-a, 0\.\d+ ETH on devnet-b\n/)
        expect(settled).toMatch(
          /\nSpent gas\n +collect on devnet-a +0x\w{64} +[\d,]+ gas at [\d.,]+ gwei +settled 1 swap +0\.\d+ ETH for this swap\n/
        )
        const open = yield* print(workspace, "swaps", "show", swaps.open.swapId)
        expect(open).toMatch(/Spent on gas +not recorded\n/)
        expect(open).not.toContain("\nSpent gas\n")
      })
    )

    it.effect("swaps show prints what an open swap is waiting for and what to do", () =>
      Effect.gen(function* () {
        const { workspace, swaps } = yield* SwapsFixture
        const text = yield* print(workspace, "swaps", "show", swaps.open.swapId)
        expect(text).toMatch(/\nIt has been waiting for the input to be final on devnet-a for \d+[sm]\.\n/)
        expect(text).toContain("A server must be running, the nodes for devnet-a must respond")
        expect(text).toContain("After the deadline, the swap fails automatically")
      })
    )

    it.effect("swaps show finds a swap by its order id and by each of its transactions", () =>
      Effect.gen(function* () {
        const { workspace, swaps } = yield* SwapsFixture
        const exported = linesOf(yield* print(workspace, "export")).map(
          (line) => JSON.parse(line) as ShownSwap & { id: string }
        )
        const [settled, refunded, fromSolana] = [swaps.settled, swaps.refunded, swaps.fromSolana].map(({ swapId }) =>
          exported.find(({ id }) => id === swapId)
        )
        const open = yield* json<ShownSwap>(workspace, "swaps", "show", swaps.open.swapId)
        const named: ReadonlyArray<readonly [string | null | undefined, string]> = [
          [settled?.orderId, swaps.settled.swapId],
          [settled?.originTxHash, swaps.settled.swapId],
          [settled?.deliveryTxHash, swaps.settled.swapId],
          [refunded?.refundTxHash, swaps.refunded.swapId],
          [fromSolana?.originTxHash, swaps.fromSolana.swapId],
          // Nothing is final, but its transaction is known.
          [open.transactions[0]?.hash, swaps.open.swapId]
        ]
        for (const [name, swapId] of named) {
          const written = name?.startsWith("0x") === true ? `0x${name.slice(2).toUpperCase()}` : (name ?? "")
          expect((yield* json<ShownSwap>(workspace, "swaps", "show", written))["id"]).toBe(swapId)
        }
        const nothing = `0x${"12".repeat(32)}`
        expect(yield* run(workspace, "swaps", "show", nothing)).toEqual({
          code: 1,
          stdout: "",
          stderr: `No swap matches ${nothing}. List the swaps: geoswap-server swaps list\n`
        })
      })
    )

    it.effect("swaps show never prints what a wallet signed, and signed transactions only with --raw", () =>
      Effect.gen(function* () {
        const { workspace, swaps } = yield* SwapsFixture
        for (const { swapId } of [swaps.settled, swaps.fromSolana]) {
          const raw = yield* json<ShownSwap>(workspace, "swaps", "show", swapId, "--raw")
          const collect = raw.transactions.find(({ kind }) => kind === "collect")?.raw ?? ""
          expect(collect.length).toBeGreaterThan(200)
          const plain =
            (yield* print(workspace, "swaps", "show", swapId)) +
            (yield* print(workspace, "swaps", "show", swapId, "--json"))
          // Every part of the transaction, except amounts, addresses and the order, which are public.
          for (let at = 0; at + 40 <= collect.length; at += 20) {
            const piece = collect.slice(at, at + 40)
            if (!/^0{10}|0{12}/.test(piece) && !JSON.stringify({ ...raw, transactions: [] }).includes(piece)) {
              expect(plain.includes(piece), `a piece of the transaction at ${at}`).toBe(false)
            }
          }
          expect(plain).not.toMatch(/signature|authorization|"raw"/)
        }
      })
    )

    it.effect("export writes every swap once, oldest first, one object per line", () =>
      Effect.gen(function* () {
        const { workspace, recipient, swaps } = yield* SwapsFixture
        const entries = linesOf(yield* print(workspace, "export")).map((line) => JSON.parse(line) as Fields)
        expect(entries.map(({ id }) => id)).toEqual(Object.values(swaps).map(({ swapId }) => swapId))
        const [, settled, failed, refunded, open] = entries
        expect(settled).toMatchObject({
          account: "Ada",
          state: "settled",
          inputSymbol: "USDC",
          amount: "10000000",
          amountWhole: "10",
          fee: "10000",
          feeWhole: "0.01",
          outputSymbol: "WETH",
          output: `${swaps.settled.output}`,
          failureCode: null,
          refundTxHash: null
        })
        expect(String(settled?.["recipient"]).toLowerCase()).toBe(recipient.toLowerCase())
        expect(failed).toMatchObject({ failureCode: "INSUFFICIENT_BALANCE", deliveryTxHash: null })
        expect(failed?.["originTxHash"]).toMatch(/^0x/)
        expect(refunded).toMatchObject({ state: "refunded", outputSymbol: "=STOP", deliveryTxHash: null })
        expect(refunded?.["refundTxHash"]).toMatch(/^0x/)
        expect(open?.["endedAt"]).toBeNull()
        const again = yield* print(workspace, "export", "--json", "--since", String(refunded?.["createdAt"]))
        expect(linesOf(again).map((line) => (JSON.parse(line) as Fields)["id"])).toEqual([
          swaps.refunded.swapId,
          swaps.open.swapId
        ])
      })
    )

    it.effect("export writes a valid CSV without formulas", () =>
      Effect.gen(function* () {
        const { workspace, swaps } = yield* SwapsFixture
        const text = yield* print(workspace, "export", "--format", "csv")
        const [head = [], ...rows] = parseCsv(text)
        const entries = linesOf(yield* print(workspace, "export")).map((line) => JSON.parse(line) as Cells)
        expect(rows).toHaveLength(entries.length)
        for (const [index, entry] of entries.entries()) {
          expect(head).toEqual(Object.keys(entry))
          const row = Object.fromEntries(head.map((name, at) => [name, rows[index]?.[at]]))
          for (const [name, value] of Object.entries(entry)) {
            const written = value === null ? "" : String(value)
            expect(row[name]).toBe(/^[=+@-]/.test(written) ? `'${written}` : written)
          }
        }
        expect(rows[2]).toContain(`'=Bob, "Bob"`)
        expect(rows[3]).toContain("'=STOP")
        expect(rows[0]?.[0]).toBe(swaps.fromSolana.swapId)
      })
    )

    it.effect("export writes a file that gets its name when it is complete", () =>
      Effect.gen(function* () {
        const { workspace } = yield* SwapsFixture
        const outputFolder = yield* folder
        const path = join(outputFolder, "swaps.jsonl")
        writeFileSync(path, "what was there")
        const { code, stderr, stdout } = yield* run(workspace, "export", "--output", path)
        expect([code, stdout, stderr]).toEqual([0, "", `Wrote ${path}.\n`])
        expect(readFileSync(path, "utf8")).toBe(yield* print(workspace, "export"))
        expect(readdirSync(outputFolder)).toEqual(["swaps.jsonl"])
        const nowhere = yield* run(workspace, "export", "--output", join(outputFolder, "none", "swaps.csv"))
        expect([nowhere.code, nowhere.stdout]).toEqual([1, ""])
        expect(nowhere.stderr).toContain("swaps.csv cannot be written (ENOENT). Check that its folder exists")
      })
    )

    it.effect("export stops silently when the reader closes the pipe", () =>
      Effect.gen(function* () {
        const { workspace } = yield* SwapsFixture
        const program = yield* start(workspace, ["export"])
        program.process.stdout.destroy()
        const { code, stderr } = yield* program.ended
        expect([code, stderr]).toEqual([0, ""])
      })
    )

    it.effect("swaps list and show format tokens and chains that are no longer configured", () =>
      Effect.gen(function* () {
        const { workspace, stopped, swaps } = yield* SwapsFixture
        const file = JSON.parse(readFileSync(join(workspace.folder, "geoswap.json"), "utf8")) as {
          readonly chains: ReadonlyArray<{
            readonly id: number
            readonly tokens: ReadonlyArray<{ readonly address: string }>
          }>
        }
        const [first, second] = file.chains
        const chains = [first, { ...second, tokens: second?.tokens.filter(({ address }) => address !== stopped) }]
        writeFileSync(join(workspace.folder, "less.json"), JSON.stringify({ ...file, chains }))
        const { stdout } = yield* run(workspace, "swaps", "list", "--config", "less.json")
        const rowOf = (id: string) => linesOf(stdout).find((row) => row.startsWith(id)) ?? ""
        const end = stopped.slice(-4)
        expect(rowOf(swaps.refunded.swapId)).toMatch(
          new RegExp(`10 USDC devnet-a → 9[\\d,]+ of 0x\\w{4}…${end} devnet-b`, "i")
        )
        expect(rowOf(swaps.fromSolana.swapId)).toMatch(/10,000,000 of \w{6}…\w{4} chain 31339 → 0\.00\d+ WETH devnet-b/)
        const reported = yield* json<ShownSwap>(
          workspace,
          "swaps",
          "show",
          swaps.refunded.swapId,
          "--config",
          "less.json"
        )
        expect([reported["outputSymbol"], reported["outputWhole"]]).toEqual([null, null])
      })
    )

    it.effect("inventory prints held, reserved and free amounts, and the relayers' gas and nonces", () =>
      Effect.gen(function* () {
        const { devnet, workspace, swaps } = yield* SwapsFixture
        const { evmB } = devnet
        const { chains, problems } = yield* json<{
          readonly problems: ReadonlyArray<string>
          readonly chains: ReadonlyArray<{
            readonly name: string
            readonly relayer: Fields
            readonly tokens: ReadonlyArray<Readonly<Record<string, string>>>
          }>
        }>(workspace, "inventory")
        expect(problems).toEqual([])
        expect(chains.map(({ name }) => name)).toEqual(["devnet-a", "devnet-b", "devnet-solana"])
        const weth = chains[1]?.tokens.find(({ symbol }) => symbol === "WETH")
        const inVault = yield* Effect.promise(() =>
          evm.balanceOf(evmB, evm.tokenOf(evmB, "WETH"), evmB.contracts.vault)
        )
        expect(weth).toMatchObject({
          vault: `${inVault}`,
          promised: `${swaps.open.output}`,
          free: `${inVault - swaps.open.output}`
        })
        const relayer = evm.operator(devnet, "relayer").address
        const used = yield* Effect.promise(() => evm.reader(evmB).getTransactionCount({ address: relayer }))
        expect(chains[1]?.relayer).toMatchObject({ address: relayer, nextNonce: used, chainNonce: used })
        expect(chains[2]?.relayer).toMatchObject({ nextNonce: null, chainNonce: null })

        const text = yield* print(workspace, "inventory")
        expect(text).toMatch(
          /\ndevnet-b \(evm 31338\), vault 0x\w{40}\n {2}token +in the vault +reserved +free\n {2}USDC /
        )
        expect(text).toMatch(/\n {2}WETH +[\d.,]+ +0\.00\d+ +[\d.,]+\n/)
        expect(text).toMatch(
          /\n {2}relayer 0x\w{40} with [\d.,]+ ETH for gas; next nonce: \d+ in the database, \d+ final on chain\n/
        )
        expect(text).toMatch(/\n {2}relayer \w{32,44} with [\d.,]+ SOL for gas\n/)
      })
    )

    it.effect("inventory reports the shortfall if more is reserved than the vault holds", () =>
      Effect.gen(function* () {
        const { devnet, workspace, swaps } = yield* SwapsFixture
        const { evmB } = devnet
        const token = evm.tokenOf(evmB, "WETH")
        yield* Effect.promise(async () => {
          const inVault = await evm.balanceOf(evmB, token, evmB.contracts.vault)
          await evm.asOwner(devnet, evmB, {
            address: evmB.contracts.vault as Address,
            abi: GeoVault.abi,
            functionName: "withdraw",
            args: [token, evm.newAddress(), inVault - 1n]
          })
        })
        const whole = Amount.format(swaps.open.output, 18)
        const { code, stderr, stdout } = yield* run(workspace, "inventory")
        expect(code).toBe(1)
        expect(stderr).toBe(
          "The inventory has problems:\n" +
            `  - Chain ${evmB.id} (devnet-b): ${whole} WETH is reserved, but the vault is short by ${Amount.format(swaps.open.output - 1n, 18)}. Send that amount to the vault, or swaps will be refunded.\n`
        )
        expect(stdout).toMatch(new RegExp(`\n  WETH +0\\.0{17}1 +${whole} +-0\\.\\d+\n`))
      })
    )
  })
})
