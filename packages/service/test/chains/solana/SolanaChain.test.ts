import { layer } from "@effect/vitest"
import { Chain, Operation } from "@geoswap/core"
import { hashTerms, keccak256 } from "@geoswap/core/adapters"
import { Proxy } from "@geoswap/devnet"
import { SolanaSigner } from "@geoswap/signer-solana"
import {
  createKeyPairFromBytes,
  createSolanaRpc,
  getBase58Encoder,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  type Signature
} from "@solana/kit"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { expect } from "vitest"
import * as SolanaChain from "../../../src/chains/solana/SolanaChain.js"
import * as SolanaTransaction from "../../../src/chains/solana/SolanaTransaction.js"
import { budgetIn } from "../../../src/chains/solana/transactions/instructions.js"
import { feeOf } from "../../../src/chains/solana/transactions/programs.js"
import { read } from "../../../src/chains/solana/transactions/wireTransaction.js"
import type { Job } from "../../../src/domain/Job.js"
import type { Attempt } from "../../../src/domain/SwapRecord.js"
import {
  airdrop,
  chainAt,
  changesOf,
  collectJob,
  configOf,
  direct,
  finalitySlots,
  keyOf,
  mintOf,
  native,
  orderId,
  person,
  relayer,
  sendJob,
  stranger,
  Svm,
  tokenAccountOf,
  usdc,
  vault
} from "./fixture.js"

/** What quotes charge: the fees of the highest limits at the lowest price. */
const collectFee = 10_080n
const sendFee = 10_200n
const nativeFee = 10_060n
const rent = 2_039_280n

/** The fee of a transaction from the vault, by the limit and the price that it has. */
const feeIn = ({ raw }: Attempt) => {
  const wire = read(raw)
  if (wire === undefined) throw new Error("There is no transaction.")
  const { price, units } = budgetIn(wire)
  return feeOf(units, price)
}

/** Runs a job from simulation to finality, as the executor does. */
const settle = Effect.fnUntraced(function* (job: Job) {
  const { chain, svm } = yield* direct
  const attempt = yield* chain.sign(yield* chain.prepare(job), undefined)
  const { kind, token } = job
  const opensAccount = kind !== "collect" && job.opensAccount
  const quoted = { kind: kind === "collect" ? kind : "deliver", token, opensAccount } as const
  expect(attempt.maxCost).toBeLessThanOrEqual(yield* chain.costOf(quoted))
  expect(attempt.maxCost).toBeLessThan(yield* chain.mostCostOf({ kind, token, opensAccount }))
  expect(yield* chain.observe(job, [attempt])).toEqual({ _tag: "Waiting" })
  yield* chain.broadcast(attempt)
  expect(yield* chain.observe(job, [attempt])).toEqual({
    _tag: "Included",
    hash: attempt.hash,
    succeeded: true,
    block: expect.any(BigInt) as bigint
  })
  yield* svm.mine(finalitySlots - 1)
  expect(yield* chain.observe(job, [attempt])).toMatchObject({ _tag: "Included" })
  yield* svm.mine(1)
  expect(yield* chain.observe(job, [attempt])).toEqual({
    _tag: "Done",
    hash: attempt.hash,
    block: expect.any(BigInt) as bigint
  })
  // Sending it again does not pay twice.
  yield* chain.broadcast(attempt)
  yield* svm.mine(1)
  return attempt
})

/** Runs a job to finality, and returns the balances that it changed and its fee, which a quote covers. */
const settledBy = Effect.fnUntraced(function* (parties: Readonly<Record<string, string>>, job: Job, quoted: bigint) {
  const fees: Array<bigint> = []
  const task = Effect.map(settle(job), (attempt) => void fees.push(feeIn(attempt)))
  const changes = yield* changesOf(parties, task)
  const [fee = 0n] = fees
  expect(fee).toBeGreaterThan(10_000n)
  expect(fee).toBeLessThan(quoted)
  return { changes, fee }
})

const memoIn = Effect.fnUntraced(function* (hash: string) {
  const rpc = createSolanaRpc((yield* Svm).rpcUrl)
  const landed = yield* Effect.promise(() =>
    rpc
      .getTransaction(hash as Signature, {
        commitment: "finalized",
        encoding: "json",
        maxSupportedTransactionVersion: 0
      })
      .send()
  )
  return landed?.meta?.logMessages?.find((line) => line.includes("geoswap:"))
})

layer(Svm.layer)("SolanaChain", (it) => {
  it.effect("accepts a chain that matches its configuration", () =>
    Effect.gen(function* () {
      const { chain } = yield* direct
      yield* chain.verify
      expect(chain).toMatchObject({
        family: "solana",
        id: 31339,
        name: "devnet-solana",
        vault: vault.address,
        relayer: relayer.address,
        pollMillis: 1_000
      })
      expect(chain.tokens[0]).toEqual({ symbol: "USDC", address: usdc, decimals: 6 })
    })
  )

  it.effect("lists all differences from its configuration at once", () =>
    Effect.gen(function* () {
      const { rpcUrl } = yield* Svm
      const tokens = [
        { symbol: "USDC", address: usdc, decimals: 9 },
        { symbol: "NONE", address: stranger("mint").address, decimals: 6 },
        { symbol: "MAN", address: relayer.address, decimals: 6 },
        { symbol: "HELD", address: yield* tokenAccountOf(person(0).address), decimals: 6 }
      ]
      const poor = yield* keyOf(stranger("relayer"))
      const thief = yield* keyOf(person(0))
      const config = yield* configOf([rpcUrl], {
        tokens,
        id: Chain.solanaMainnet,
        computeUnitPrice: { cap: `${2n ** 64n}` }
      })
      const chain = yield* SolanaChain.make({ config, relayer: poor, vault: thief })
      const error = yield* Effect.flip(chain.verify)
      if (error._tag !== "Misconfigured") return expect(error._tag).toBe("Misconfigured")
      const expected = [
        "computeUnitPrice.cap does not fit",
        `the vault key belongs to ${thief.address}`,
        "is not on Solana's mainnet",
        "USDC: expected 9 decimals, got 6",
        "NONE: token ",
        "NONE: the vault",
        "MAN: ",
        "MAN: the vault",
        "HELD: ",
        "HELD: the vault",
        `relayer ${poor.address} has no lamports`
      ]
      expect(error.problems).toHaveLength(expected.length)
      expected.forEach((words, index) => expect(error.problems[index]).toContain(words))
      expect(error.message).toBe(error.problems.join("\n"))
    })
  )

  it.effect("refuses Token-2022 mints, and says why", () =>
    Effect.gen(function* () {
      const node = yield* Proxy.make({ target: (yield* Svm).rpcUrl })
      yield* node.set(
        "getMultipleAccounts",
        Proxy.change((result, params) => {
          const { value, ...rest } = result as { readonly value: ReadonlyArray<object> }
          const addresses = params[0] as ReadonlyArray<string>
          const owner = "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb"
          return { ...rest, value: value.map((each, index) => (addresses[index] === usdc ? { ...each, owner } : each)) }
        })
      )
      const error = yield* Effect.flip((yield* chainAt([node.rpcUrl])).verify)
      expect(error).toMatchObject({
        _tag: "Misconfigured",
        problems: [expect.stringContaining(`USDC: ${usdc} is a Token-2022 mint, which is not supported.`)]
      })
    })
  )

  it.effect("refuses nodes of two networks", () =>
    Effect.gen(function* () {
      const { rpcUrl } = yield* Svm
      const proxy = yield* Proxy.make({ target: rpcUrl })
      const chain = yield* chainAt([rpcUrl, proxy.rpcUrl])
      yield* chain.verify
      yield* proxy.set(
        "getGenesisHash",
        Proxy.change(() => usdc)
      )
      expect((yield* Effect.flip(chain.verify)).message).toContain("is on a different network")
      yield* proxy.down
      yield* chain.verify
    })
  )

  it.effect("reads the balances of wallets and the vault", () =>
    Effect.gen(function* () {
      const { chain } = yield* direct
      const [frank, unknown] = [person(1).address, stranger("unknown").address]
      expect(yield* chain.balanceOf(usdc, frank)).toBe(10_000_000_000n)
      expect(yield* chain.balanceOf(mintOf("GEO"), frank)).toBe(1_000_000_000_000n)
      expect(yield* chain.balanceOf(usdc, unknown)).toBe(0n)
      expect(yield* chain.balanceOf(native, unknown)).toBe(0n)
      expect(yield* chain.balanceOf(native, vault.address)).toBe(1_000_000_000_000n)
      expect(yield* chain.inventoryOf(native)).toBe(1_000_000_000_000n - 890_880n)
      expect(yield* chain.inventoryOf(mintOf("WETH"))).toBe(1_000_000_000_000n)
      expect(yield* chain.largestInput(usdc, frank)).toBe(18_446_744_073_709_551_615n)
      // A vault with less than it has to keep can send nothing.
      const config = yield* configOf([(yield* Svm).rpcUrl])
      const keys = { relayer: yield* keyOf(relayer), vault: yield* keyOf(stranger("poor vault")) }
      const poor = yield* SolanaChain.make({ config, ...keys })
      expect(yield* poor.inventoryOf(native)).toBe(0n)
    })
  )

  it.effect("reads the latest confirmed slot", () =>
    Effect.gen(function* () {
      const { chain, svm } = yield* direct
      const before = yield* chain.height
      yield* svm.mine(2)
      expect(yield* chain.height).toBe(before + 2n)
    })
  )

  it.effect("builds the exact transaction of the protocol, which our signer signs", () =>
    Effect.gen(function* () {
      const { chain, svm } = yield* direct
      const wallet = person(2)
      const quote = { output: 5n, minOutput: 4n, feeBps: 10, costs: { fee: { bps: 10 } }, expiresAt: new Date() }
      const request = {
        originChain: chain.id,
        destinationChain: 31337,
        inputToken: usdc,
        outputToken: Chain.nativeToken.evm,
        amount: 2_000_000n,
        walletAddress: wallet.address,
        recipient: "0x00000000000000000000000000000000000000aa"
      }
      const memo = `geoswap:${orderId()}:${hashTerms(Operation.encodeTerms({ request, quote }), keccak256)}`
      const built = yield* chain.buildCollect({ wallet: wallet.address, token: usdc, amount: request.amount, memo })

      const rpc = createSolanaRpc(svm.rpcUrl)
      const { value: latest } = yield* Effect.promise(() => rpc.getLatestBlockhash({ commitment: "confirmed" }).send())
      // By the heights of the nodes, which may be past the confirmed block.
      expect(built.lastValidBlockHeight).toBeGreaterThanOrEqual(latest.lastValidBlockHeight)
      expect(built.lastValidBlockHeight).toBeLessThan(latest.lastValidBlockHeight + 50n)
      const { messageBytes, signatures } = getTransactionDecoder().decode(getBase64Encoder().encode(built.transaction))
      expect(Object.entries(signatures)).toEqual([
        [relayer.address, null],
        [wallet.address, null]
      ])
      expect(getCompiledTransactionMessageDecoder().decode(messageBytes)).toMatchObject({
        version: 0,
        lifetimeToken: latest.blockhash,
        header: { numSignerAccounts: 2, numReadonlySignerAccounts: 1 }
      })

      const signed = yield* Effect.promise(async () => {
        const keyPair = await createKeyPairFromBytes(getBase58Encoder().encode(wallet.privateKey))
        const signer = await SolanaSigner.fromKeyPair(keyPair)
        const deployment = { vault: vault.address, relayer: relayer.address }
        const asked = { request, quote, deployment, unsignedTransaction: built.transaction }
        return signer.signTransaction(asked, { signal: new AbortController().signal })
      })
      const { transaction } = yield* SolanaTransaction.inspect(built.transaction, signed, wallet.address)
      expect(transaction).toBe(signed)
    })
  )

  it.effect("collects exactly the input, at only the relayer's cost", () =>
    Effect.gen(function* () {
      const { chain } = yield* direct
      const wallet = person(0)
      const job = yield* collectJob(chain, wallet, 5_000_000n)
      const parties = { wallet: wallet.address, vault: vault.address, relayer: relayer.address }
      expect(yield* changesOf(parties, settle(job))).toEqual({
        wallet: { tokens: -5_000_000n, lamports: 0n },
        vault: { tokens: 5_000_000n, lamports: 0n },
        relayer: { tokens: 0n, lamports: -collectFee }
      })
      const query = { kind: "collect", token: usdc, party: wallet.address } as const
      for (const opensAccount of [true, false]) {
        expect(yield* chain.costOf({ ...query, opensAccount })).toBe(collectFee)
        // At the highest price.
        expect(yield* chain.mostCostOf({ ...query, opensAccount })).toBe(90_000n)
      }
    })
  )

  it.effect("delivers into a new account, and then into the existing one", () =>
    Effect.gen(function* () {
      const { chain } = yield* direct
      const to = stranger("recipient").address
      const parties = { recipient: to, vault: vault.address, relayer: relayer.address }
      for (const paidRent of [rent, 0n]) {
        const opensAccount = yield* chain.lacksAccount(usdc, to)
        expect(yield* chain.costOf({ kind: "deliver", token: usdc, party: to, opensAccount })).toBe(sendFee + paidRent)
        const { changes, fee } = yield* settledBy(parties, sendJob("deliver", to, 7n), sendFee)
        expect(changes).toEqual({
          recipient: { tokens: 7n, lamports: 0n },
          vault: { tokens: -7n, lamports: 0n },
          relayer: { tokens: 0n, lamports: -fee - paidRent }
        })
      }
    })
  )

  it.effect("opens no account that is not paid for, and pays into an existing one", () =>
    Effect.gen(function* () {
      const { chain } = yield* direct
      const to = stranger("closed").address
      expect(yield* chain.lacksAccount(usdc, to)).toBe(true)
      for (const kind of ["deliver", "refund"] as const) {
        const job = { ...sendJob(kind, to, 7n), opensAccount: false }
        const error = yield* Effect.flip(chain.prepare(job))
        expect(error).toMatchObject({ _tag: "Impossible", code: "REVERTED" })
        expect(error.message).toContain(`${to} does not have the token account`)
      }
      yield* settle(sendJob("deliver", to, 7n))
      expect(yield* chain.lacksAccount(usdc, to)).toBe(false)
      expect(yield* chain.lacksAccount(native, to)).toBe(false)
      const parties = { recipient: to, relayer: relayer.address }
      const job = { ...sendJob("refund", to, 5n), opensAccount: false }
      const { changes, fee } = yield* settledBy(parties, job, sendFee)
      expect(changes).toEqual({
        recipient: { tokens: 5n, lamports: 0n },
        relayer: { tokens: 0n, lamports: -fee }
      })
    })
  )

  it.effect("does not treat an account with only lamports as a token account", () =>
    Effect.gen(function* () {
      const { chain } = yield* direct
      const to = stranger("dusted").address
      yield* airdrop(yield* tokenAccountOf(to), 1_000_000n)
      expect(yield* chain.lacksAccount(usdc, to)).toBe(true)
      const changes = yield* changesOf({ to, relayer: relayer.address }, settle(sendJob("deliver", to, 3n)))
      expect(changes["to"]?.tokens).toBe(3n)
    })
  )

  it.effect("charges the lowest price if no node reports one, but must know the rent of an account that it opens", () =>
    Effect.gen(function* () {
      const node = yield* Proxy.make({ target: (yield* Svm).rpcUrl })
      const chain = yield* chainAt([node.rpcUrl])
      yield* node.set("getRecentPrioritizationFees", Proxy.httpStatus(503))
      const query = { kind: "deliver", token: usdc, party: person(0).address } as const
      for (const opensAccount of [true, false]) {
        const cost = opensAccount ? sendFee + rent : sendFee
        expect(yield* chain.costOf({ ...query, opensAccount })).toBe(cost)
        // At the highest price.
        expect(yield* chain.mostCostOf({ ...query, kind: "refund", opensAccount })).toBe(cost - sendFee + 210_000n)
      }
      // The rent is known now.
      yield* node.down
      expect(yield* chain.costOf({ ...query, opensAccount: true })).toBe(sendFee + rent)
      const other = yield* chainAt([node.rpcUrl])
      expect(yield* other.costOf({ ...query, opensAccount: false })).toBe(sendFee)
      expect(yield* Effect.flip(other.costOf({ ...query, opensAccount: true }))).toMatchObject({
        _tag: "ChainUnavailable"
      })
    })
  )

  it.effect("delivers lamports", () =>
    Effect.gen(function* () {
      const { chain } = yield* direct
      const to = stranger("native").address
      const parties = { recipient: to, vault: vault.address, relayer: relayer.address }
      for (const opensAccount of [true, false]) {
        expect(yield* chain.costOf({ kind: "deliver", token: native, party: to, opensAccount })).toBe(nativeFee)
        expect(yield* chain.mostCostOf({ kind: "deliver", token: native, opensAccount })).toBe(70_000n)
      }
      const job = { ...sendJob("deliver", to, 1_000_000_000n, native), opensAccount: false }
      const { changes, fee } = yield* settledBy(parties, job, nativeFee)
      expect(changes).toEqual({
        recipient: { tokens: 0n, lamports: 1_000_000_000n },
        vault: { tokens: 0n, lamports: -1_000_000_000n },
        relayer: { tokens: 0n, lamports: -fee }
      })
    })
  )

  it.effect("refunds, and each memo names its kind", () =>
    Effect.gen(function* () {
      const wallet = person(3).address
      const refund = sendJob("refund", wallet, 11n)
      const parties = { wallet, vault: vault.address, relayer: relayer.address }
      const { changes, fee } = yield* settledBy(parties, refund, sendFee)
      expect(changes).toEqual({
        wallet: { tokens: 11n, lamports: 0n },
        vault: { tokens: -11n, lamports: 0n },
        relayer: { tokens: 0n, lamports: -fee }
      })
      const again = yield* settle(refund)
      expect(yield* memoIn(again.hash)).toContain(`geoswap:${refund.orderId}:refunded`)
      const delivery = sendJob("deliver", wallet, 11n)
      expect(yield* memoIn((yield* settle(delivery)).hash)).toContain(`geoswap:${delivery.orderId}:delivered`)
      const { chain } = yield* direct
      const collect = yield* collectJob(chain, person(3), 22n)
      expect(yield* memoIn((yield* settle(collect)).hash)).toContain(`geoswap:${collect.orderId}:${collect.terms}`)
    })
  )

  it.effect.each([
    ["the relayer in lamports", relayer.address, native],
    ["the vault in lamports", vault.address, native],
    ["the relayer in a token", relayer.address, usdc],
    ["the vault in a token", vault.address, usdc]
  ] as const)("settles a delivery to %s", ([, to, token]) => settle(sendJob("deliver", to, 5n, token)))

  it.effect("signs nothing but the transaction of the swap with the relayer's key", () =>
    Effect.gen(function* () {
      const { chain } = yield* direct
      const job = yield* collectJob(chain, person(1), 1_000n)
      const other = yield* collectJob(chain, person(1), 1_001n)
      const strange: ReadonlyArray<Job> = [
        { ...job, amount: 999n },
        { ...job, orderId: other.orderId },
        { ...job, terms: other.orderId },
        { ...job, wallet: person(2).address },
        { ...job, token: mintOf("GEO") },
        { ...job, operation: other.operation },
        { ...job, operation: { ...job.operation, transaction: "AAAA" } }
      ]
      for (const each of strange) {
        expect(yield* Effect.flip(chain.prepare(each))).toMatchObject({ _tag: "Impossible", code: "REVERTED" })
        const signed = yield* Effect.result(
          Effect.catchDefect(chain.sign({ relayer: chain.relayer, plan: { collect: each } }, 0), Effect.fail)
        )
        expect(Result.isFailure(signed)).toBe(true)
      }
      // A price that changed since the build is no reason to drop a swap.
      const dearer = yield* chainAt([(yield* Svm).rpcUrl], { computeUnitPrice: { floor: "5000" } })
      yield* dearer.prepare(job)
    })
  )

  it.effect("refuses keys with invalid signatures", () =>
    Effect.gen(function* () {
      const { chain, svm } = yield* direct
      const [honest, bob] = [yield* keyOf(relayer), yield* keyOf(person(0))]
      const config = yield* configOf([svm.rpcUrl])
      const broken = yield* SolanaChain.make({
        config,
        relayer: { ...honest, signMessage: bob.signMessage },
        vault: yield* keyOf(vault)
      })
      for (const job of [yield* collectJob(chain, person(0), 1n), sendJob("deliver", person(0).address, 1n)]) {
        const error = yield* Effect.flip(broken.sign(yield* broken.prepare(job), undefined))
        expect(error.message).toContain(`The key for ${relayer.address}`)
      }
    })
  )

  it.effect("replaces nothing, and does not know what others paid", () =>
    Effect.gen(function* () {
      const { chain } = yield* direct
      const job = sendJob("deliver", person(0).address, 1n)
      const attempt = yield* chain.sign(yield* chain.prepare(job), undefined)
      expect(yield* chain.replace(job, [attempt], true)).toBeUndefined()
      expect(yield* chain.externalSettlement(job)).toEqual({ _tag: "Unused" })
    })
  )
})
