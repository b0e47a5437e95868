import { layer } from "@effect/vitest"
import { Proxy } from "@geoswap/devnet"
import { getCreateAccountInstruction } from "@solana-program/system"
import {
  AuthorityType,
  getCloseAccountInstruction,
  getCreateAssociatedTokenIdempotentInstruction,
  getFreezeAccountInstruction,
  getInitializeMint2Instruction,
  getMintSize,
  getMintToInstruction,
  getSetAuthorityInstruction,
  getThawAccountInstruction,
  getTransferCheckedInstruction,
  TOKEN_PROGRAM_ADDRESS
} from "@solana-program/token"
import { type Address, createKeyPairSignerFromBytes, getBase58Encoder } from "@solana/kit"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import type { Chain } from "../../../src/chains/Chains.js"
import * as SolanaChain from "../../../src/chains/solana/SolanaChain.js"
import type { Job } from "../../../src/domain/Job.js"
import {
  airdrop,
  chainAt,
  collectJob,
  configOf,
  direct,
  execute,
  finalitySlots,
  holdings,
  keyOf,
  mintOf,
  native,
  person,
  relayer,
  rewrite,
  sendJob,
  stranger,
  Svm,
  tokenAccountOf,
  usdc,
  vault
} from "./fixture.js"

const refusalOf = (chain: Chain, job: Job) => Effect.flip(chain.prepare(job))

const refusal = Effect.fnUntraced(function* (job: Job) {
  const { chain } = yield* direct
  return yield* Effect.flip(chain.prepare(job))
})

/** A token that the relayer can freeze, held by the vault and a wallet, and a chain that lists it. */
const freezable = Effect.fnUntraced(function* (name: string) {
  const mint = stranger(`freezable mint ${name}`)
  const wallet = person(0)
  const holders = [vault.address, wallet.address]
  const accounts = yield* Effect.forEach(holders, (owner) => tokenAccountOf(owner, mint.address))
  yield* execute(relayer, async (payer) => {
    const newAccount = await createKeyPairSignerFromBytes(getBase58Encoder().encode(mint.privateKey))
    const space = getMintSize()
    return [
      getCreateAccountInstruction({
        payer,
        newAccount,
        lamports: 1_461_600n,
        space,
        programAddress: TOKEN_PROGRAM_ADDRESS
      }),
      getInitializeMint2Instruction({
        mint: mint.address,
        decimals: 6,
        mintAuthority: payer.address,
        freezeAuthority: payer.address
      }),
      ...holders.flatMap((owner, index) => {
        const account = accounts[index] as Address
        return [
          getCreateAssociatedTokenIdempotentInstruction({
            payer,
            ata: account,
            owner,
            mint: mint.address
          }),
          getMintToInstruction({ mint: mint.address, token: account, mintAuthority: payer, amount: 1_000n })
        ]
      })
    ]
  })
  const { rpcUrl } = yield* Svm
  const chain = yield* chainAt([rpcUrl], { tokens: [{ symbol: "ICE", address: mint.address, decimals: 6 }] })
  const set = (of: string, frozen: boolean) =>
    Effect.flatMap(tokenAccountOf(of, mint.address), (account) =>
      execute(relayer, async (owner) => [
        (frozen ? getFreezeAccountInstruction : getThawAccountInstruction)({ account, mint: mint.address, owner })
      ])
    )
  return { chain, token: mint.address, wallet, set }
})

layer(Svm.layer)("SolanaChain.prepare", (it) => {
  it.effect("refuses a collect from a wallet with too little balance", () =>
    Effect.gen(function* () {
      const { chain } = yield* direct
      const balance = yield* chain.balanceOf(usdc, person(0).address)
      yield* chain.prepare(yield* collectJob(chain, person(0), balance))
      expect(yield* refusal(yield* collectJob(chain, person(0), balance + 1n))).toMatchObject({
        _tag: "Impossible",
        chainId: 31339,
        code: "INSUFFICIENT_BALANCE"
      })
    })
  )

  it.effect("refuses a collect from a wallet without a token account", () =>
    Effect.gen(function* () {
      const { chain } = yield* direct
      const job = yield* collectJob(chain, stranger("with nothing"), 1n)
      expect(yield* refusal(job)).toMatchObject({ _tag: "Impossible", code: "REVERTED" })
    })
  )

  it.effect("refuses a delivery of more than the vault has", () =>
    Effect.gen(function* () {
      const { chain } = yield* direct
      for (const token of [usdc, native]) {
        const inventory = yield* chain.inventoryOf(token)
        yield* chain.prepare(sendJob("deliver", person(0).address, inventory, token))
        for (const kind of ["deliver", "refund"] as const) {
          for (const excess of [1n, 10n ** 12n]) {
            const error = yield* refusal(sendJob(kind, person(0).address, inventory + excess, token))
            expect(error).toMatchObject({ _tag: "Impossible", code: "INSUFFICIENT_INVENTORY" })
          }
        }
      }
    })
  )

  it.effect("refuses a delivery from a vault that was emptied, before or after signing", () =>
    Effect.gen(function* () {
      const { chain, svm } = yield* direct
      const geo = mintOf("GEO")
      const job = sendJob("deliver", person(1).address, 1n, geo)
      const attempt = yield* chain.sign(yield* chain.prepare(job), undefined)
      const amount = yield* chain.inventoryOf(geo)
      const [source, destination] = [
        yield* tokenAccountOf(vault.address, geo),
        yield* tokenAccountOf(person(2).address, geo)
      ]
      yield* execute(vault, async (authority) => [
        getTransferCheckedInstruction({ source, mint: geo, destination, authority, amount, decimals: 9 })
      ])
      expect(yield* chain.inventoryOf(geo)).toBe(0n)
      expect(yield* refusal(job)).toMatchObject({ _tag: "Impossible", code: "INSUFFICIENT_INVENTORY" })
      yield* chain.broadcast(attempt)
      yield* svm.mine(finalitySlots)
      expect(yield* chain.observe(job, [attempt])).toMatchObject({ _tag: "Dead", why: "reverted" })
      expect(yield* chain.balanceOf(geo, person(1).address)).toBe(1_000_000_000_000n)
    })
  )

  it.effect("refuses jobs with a frozen account", () =>
    Effect.gen(function* () {
      const { chain, set, token, wallet } = yield* freezable("of all")
      yield* chain.verify
      const jobs = [yield* collectJob(chain, wallet, 1n, token), sendJob("deliver", wallet.address, 1n, token)]
      for (const owner of [vault.address, wallet.address]) {
        yield* set(owner, true)
        for (const job of jobs) {
          const error = yield* Effect.flip(chain.prepare(job))
          expect(error).toMatchObject({ _tag: "Impossible", code: "REVERTED" })
          expect(error.message).toContain('{"Custom":17}')
        }
        yield* set(owner, false)
        for (const job of jobs) yield* chain.prepare(job)
      }
      yield* set(vault.address, true)
      expect((yield* Effect.flip(chain.verify)).message).toContain("is frozen")
    })
  )

  it.effect("refuses a delivery into an account that now belongs to another owner", () =>
    Effect.gen(function* () {
      const { chain } = yield* direct
      const seller = person(3)
      yield* airdrop(seller.address, 1_000_000_000n)
      const owned = yield* tokenAccountOf(seller.address)
      yield* execute(seller, async (owner) => [
        getSetAuthorityInstruction({
          owned,
          owner,
          authorityType: AuthorityType.AccountOwner,
          newAuthority: person(2).address
        })
      ])
      const error = yield* refusal(sendJob("deliver", seller.address, 1n))
      expect(error).toMatchObject({ _tag: "Impossible", code: "REVERTED" })
      // If no account is opened, the chain itself would pay.
      for (const kind of ["deliver", "refund"] as const) {
        const refused = yield* refusal({ ...sendJob(kind, seller.address, 1n), opensAccount: false })
        expect(refused).toMatchObject({ _tag: "Impossible", code: "REVERTED" })
        expect(refused.message).toContain(`now belongs to ${person(2).address}`)
      }
      // Nor is it what the seller has.
      expect(yield* chain.balanceOf(usdc, seller.address)).toBe(0n)
    })
  )

  it.effect("refuses a delivery of too few lamports for a new account, or to an invalid address", () =>
    Effect.gen(function* () {
      const { chain } = yield* direct
      const to = stranger("new").address
      expect(yield* refusal(sendJob("deliver", to, 890_879n, native))).toMatchObject({ code: "REVERTED" })
      yield* chain.prepare(sendJob("deliver", to, 890_880n, native))
      for (const nowhere of ["", "unknown", "0x00000000000000000000000000000000000000aa"]) {
        const error = yield* refusal(sendJob("deliver", nowhere, 890_880n, native))
        expect(error).toMatchObject({ _tag: "Impossible", code: "REVERTED" })
      }
    })
  )

  it.effect("reports a relayer without lamports, and does not fail the wallet's swap for it", () =>
    Effect.gen(function* () {
      const svm = yield* Svm
      const poor = stranger("relayer")
      const keys = { relayer: yield* keyOf(poor), vault: yield* keyOf(vault) }
      const chain = yield* SolanaChain.make({ config: yield* configOf([svm.rpcUrl]), ...keys })
      const collect = yield* collectJob(chain, person(0), 1n)
      const deliver = sendJob("deliver", stranger("never paid").address, 1n)
      const refused = (job: Job) => Effect.flip(chain.prepare(job))
      expect(yield* refused(collect)).toMatchObject({ _tag: "ChainUnavailable" })
      expect(yield* refused(deliver)).toMatchObject({ code: "INSUFFICIENT_INVENTORY" })
      expect((yield* refused(collect)).message).toContain(poor.address)
      // Enough for a fee and for itself, and not for an account of the recipient.
      yield* airdrop(poor.address, 1_000_000n)
      yield* chain.prepare(yield* collectJob(chain, person(0), 1n))
      yield* chain.prepare(sendJob("deliver", person(0).address, 1n))
      expect(yield* refused(deliver)).toMatchObject({ code: "INSUFFICIENT_INVENTORY" })
    })
  )

  it.effect("blames the recipient if their account is frozen, but not if the vault's is", () =>
    Effect.gen(function* () {
      const { chain, set, token, wallet } = yield* freezable("of recipients")
      for (const opensAccount of [true, false]) {
        const job = { ...sendJob("deliver", wallet.address, 1n, token), opensAccount }
        const atFault = chain.recipientAtFault(job)
        expect([opensAccount, yield* atFault]).toEqual([opensAccount, false])
        yield* set(wallet.address, true)
        expect([opensAccount, yield* atFault]).toEqual([opensAccount, true])
        expect(yield* chain.recipientAtFault({ ...job, amount: 1_000n })).toBe(true)
        expect(yield* chain.recipientAtFault({ ...job, amount: 1_001n })).toBe(false)
        yield* set(vault.address, true)
        expect([opensAccount, yield* atFault]).toEqual([opensAccount, false])
        yield* set(wallet.address, false)
        expect([opensAccount, yield* atFault]).toEqual([opensAccount, false])
        yield* set(vault.address, false)
      }
    })
  )

  it.effect("blames the recipient if they have no paid-for account, or gave theirs away", () =>
    Effect.gen(function* () {
      const { chain } = yield* direct
      const [closed, seller, buyer] = [person(1), stranger("seller"), person(2).address]
      const unpaid = (to: string) => ({ ...sendJob("deliver", to, 1n), opensAccount: false })
      const account = yield* tokenAccountOf(closed.address)
      expect(yield* chain.recipientAtFault(unpaid(closed.address))).toBe(false)
      yield* airdrop(closed.address, 1_000_000_000n)
      const { tokens: amount } = yield* holdings(closed.address)
      const destination = yield* tokenAccountOf(vault.address)
      yield* execute(closed, async (owner) => [
        getTransferCheckedInstruction({
          source: account,
          mint: usdc,
          destination,
          authority: owner,
          amount,
          decimals: 6
        }),
        getCloseAccountInstruction({ account, destination: owner.address, owner })
      ])
      expect(yield* chain.recipientAtFault(unpaid(closed.address))).toBe(true)
      // A new one is opened for them.
      expect(yield* chain.recipientAtFault(sendJob("deliver", closed.address, 1n))).toBe(false)

      yield* airdrop(seller.address, 1_000_000_000n)
      const owned = yield* tokenAccountOf(seller.address)
      yield* execute(seller, async (owner) => [
        getCreateAssociatedTokenIdempotentInstruction({ payer: owner, ata: owned, owner: owner.address, mint: usdc }),
        getSetAuthorityInstruction({
          owned,
          owner,
          authorityType: AuthorityType.AccountOwner,
          newAuthority: buyer
        })
      ])
      expect(yield* chain.recipientAtFault(unpaid(seller.address))).toBe(true)
      expect(yield* chain.recipientAtFault(sendJob("deliver", seller.address, 1n))).toBe(true)
    })
  )

  it.effect("does not blame the recipient if the vault or the relayer has too little", () =>
    Effect.gen(function* () {
      const svm = yield* Svm
      const poor = stranger("relayer without rent")
      const keys = { relayer: yield* keyOf(poor), vault: yield* keyOf(vault) }
      const chain = yield* SolanaChain.make({ config: yield* configOf([svm.rpcUrl]), ...keys })
      const to = stranger("who waits for an account").address
      const job = sendJob("deliver", to, 1n)
      expect(yield* chain.recipientAtFault(job)).toBe(false)
      // Enough for a fee and for itself, and not for an account of the recipient.
      yield* airdrop(poor.address, 1_000_000n)
      expect(yield* refusalOf(chain, job)).toMatchObject({ code: "INSUFFICIENT_INVENTORY" })
      expect(yield* chain.recipientAtFault(job)).toBe(false)
      for (const token of [usdc, native]) {
        const inventory = yield* chain.inventoryOf(token)
        expect(yield* chain.recipientAtFault(sendJob("deliver", person(0).address, inventory + 1n, token))).toBe(false)
      }
      expect(yield* chain.recipientAtFault(sendJob("deliver", "unknown", 1n))).toBe(false)
    })
  )

  it.effect("blames the recipient only if a quorum of nodes simulates it", () =>
    Effect.gen(function* () {
      const { svm } = yield* direct
      const [liar, honest] = [yield* Proxy.make({ target: svm.rpcUrl }), yield* Proxy.make({ target: svm.rpcUrl })]
      const chain = yield* chainAt([liar.rpcUrl, honest.rpcUrl])
      const job = { ...sendJob("deliver", person(0).address, 1n), opensAccount: false }
      const lie = liar.set(
        "getMultipleAccounts",
        rewrite((answer) => ({ ...answer, value: [null] }))
      )
      yield* lie
      expect(yield* chain.recipientAtFault(job)).toBe(false)
      yield* honest.down
      expect((yield* Effect.flip(chain.recipientAtFault(job))).message).toContain("below its quorum")
      yield* honest.up
      // Simulations that are never of the same slot say nothing.
      const gone = { ...sendJob("deliver", stranger("without an account").address, 1n), opensAccount: false }
      yield* liar.clear()
      expect(yield* chain.recipientAtFault(gone)).toBe(true)
      let slot = 1_000
      yield* liar.set(
        "simulateTransaction",
        rewrite((answer) => ({ ...answer, context: { slot: slot++ } }))
      )
      expect(yield* chain.recipientAtFault(gone)).toBe(false)
    })
  )

  it.effect("does not report a transaction that already landed as a failure", () =>
    Effect.gen(function* () {
      const { chain, svm } = yield* direct
      const job = yield* collectJob(chain, person(0), 1n)
      yield* chain.broadcast(yield* chain.sign(yield* chain.prepare(job), undefined))
      yield* svm.mine(1)
      expect(yield* refusal(job)).toMatchObject({ _tag: "ChainUnavailable" })
    })
  )

  it.effect("reports an unconfigured token as unavailable", () =>
    Effect.gen(function* () {
      const { chain } = yield* direct
      const token = stranger("unlisted mint").address
      const asked = { wallet: person(0).address, token, amount: 1n, memo: "m" }
      expect((yield* Effect.flip(chain.buildCollect(asked))).message).toContain(token)
      expect(yield* refusal(sendJob("refund", person(0).address, 1n, token))).toMatchObject({
        _tag: "ChainUnavailable"
      })
    })
  )
})
