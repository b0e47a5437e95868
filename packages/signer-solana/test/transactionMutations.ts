/** Transactions with a changed meaning in a valid encoding: they decode, and the verification must refuse them. */
import type { Operation, Signer } from "@geoswap/core"
import { getSetComputeUnitLimitInstruction, getSetComputeUnitPriceInstruction } from "@solana-program/compute-budget"
import { getAdvanceNonceAccountInstruction, getTransferSolInstruction } from "@solana-program/system"
import {
  getApproveInstruction,
  getCloseAccountInstruction,
  getSyncNativeInstruction,
  TOKEN_PROGRAM_ADDRESS
} from "@solana-program/token"
import {
  AccountRole,
  type Address,
  type Blockhash,
  compileTransaction,
  createNoopSigner,
  getAddressDecoder,
  getBase64EncodedWireTransaction,
  type Instruction
} from "@solana/kit"
import type { SeededRandom } from "../../../tooling/testing/seededRandom.ts"
import { hashTerms } from "./chainLibrary.js"
import { tableName } from "./lookupTables.js"
import {
  against,
  agreement,
  type Compiled,
  compiledOf,
  destination,
  memoOf,
  memoProgram,
  messageOf,
  mint,
  otherMint,
  relayer,
  source,
  stranger,
  strangersAccount,
  token2022,
  transferOf,
  vault,
  wallet,
  wireOfCompiled,
  wireWithTables
} from "./transactions.js"

/** The parts of a transaction that can be changed: instructions, fee payer, compiled message and agreement. */
export interface Plan {
  readonly instructions: ReadonlyArray<Instruction>
  readonly feePayer: Address
  readonly blockhash: Blockhash
  readonly tables: ReadonlyArray<Address>
  readonly compiled: ReadonlyArray<(message: Compiled) => Compiled>
  readonly agreement: Operation.Agreement & { readonly deployment: Operation.Deployment }
}

const hexOf = (bytes: Uint8Array) => `0x${Buffer.from(bytes).toString("hex")}`
const u64 = (random: SeededRandom): bigint => BigInt(hexOf(random.bytes(8)))
const anyAddress = (random: SeededRandom): Address => getAddressDecoder().decode(random.bytes(32))

/** A valid transaction with random values for everything that the service may choose. */
export const honestPlan = (random: SeededRandom): Plan => {
  const amount = random.pick([1n, 5_000_000n, 2n ** 64n - 1n, u64(random) || 1n])
  const request = {
    ...agreement.request,
    amount,
    destinationChain: random.pick([1, 8453, 42161]),
    outputToken: hexOf(random.bytes(20)),
    recipient: hexOf(random.bytes(20))
  }
  const quote = { ...agreement.quote, minOutput: BigInt(hexOf(random.bytes(random.pick([1, 8, 32])))) }
  const terms = hashTerms({ ...request, minOutput: quote.minOutput })
  return {
    instructions: [
      getSetComputeUnitLimitInstruction({ units: random.below(2 ** 32) }),
      getSetComputeUnitPriceInstruction({ microLamports: u64(random) }),
      transferOf({ amount, decimals: random.below(256) }),
      memoOf(`geoswap:${hexOf(random.bytes(32))}:${terms}`)
    ],
    feePayer: relayer,
    blockhash: anyAddress(random) as string as Blockhash,
    tables: [],
    compiled: [],
    agreement: { ...agreement, request, quote }
  }
}

/** Reorders the accounts of a message within their rights. */
export const reordered =
  (random: SeededRandom) =>
  (message: Compiled): Compiled => {
    const { header, instructions, staticAccounts } = message
    const readOnlyFrom = staticAccounts.length - header.numReadonlyNonSignerAccounts
    const shuffled = [
      ...staticAccounts.slice(0, header.numSignerAccounts),
      ...random.shuffle(staticAccounts.slice(header.numSignerAccounts, readOnlyFrom)),
      ...random.shuffle(staticAccounts.slice(readOnlyFrom))
    ]
    const moved = (index: number) => shuffled.indexOf(staticAccounts[index] as Address)
    return {
      ...message,
      staticAccounts: shuffled,
      instructions: instructions.map((instruction) => ({
        ...instruction,
        programAddressIndex: moved(instruction.programAddressIndex),
        ...(instruction.accountIndices && { accountIndices: instruction.accountIndices.map(moved) })
      }))
    }
  }

/** Builds the request to sign. Throws if kit cannot encode it. */
export const write = ({
  agreement,
  blockhash,
  compiled,
  feePayer,
  instructions,
  tables
}: Plan): Signer.TransactionToSign => {
  const wire =
    tables.length === 0
      ? getBase64EncodedWireTransaction(compileTransaction(messageOf(instructions, feePayer, blockhash)))
      : wireWithTables({ [tableName]: tables }, instructions)
  const message = compiled.reduce((message, change) => change(message), compiledOf(wire))
  return { ...against(compiled.length === 0 ? wire : wireOfCompiled(message)), ...agreement }
}

type Mutation = (plan: Plan, random: SeededRandom) => Plan

/** Addresses for changes of the transaction. Changes of the agreement use others, so two changes cannot cancel out. */
const keys = [wallet, relayer, vault, mint, source, destination, stranger, strangersAccount, otherMint, memoProgram]
const programs = [
  TOKEN_PROGRAM_ADDRESS,
  token2022,
  memoProgram,
  stranger,
  "11111111111111111111111111111111" as Address
]
const roles = [AccountRole.READONLY, AccountRole.WRITABLE, AccountRole.READONLY_SIGNER, AccountRole.WRITABLE_SIGNER]
const owner = createNoopSigner(wallet)
const foreign = (random: SeededRandom): Instruction =>
  random.pick([
    getApproveInstruction({ source, delegate: stranger, owner, amount: 1n }),
    getCloseAccountInstruction({ account: source, destination: stranger, owner }),
    getTransferSolInstruction({ source: owner, destination: stranger, amount: 1n }),
    getSyncNativeInstruction({ account: source }),
    transferOf({ destination: strangersAccount }),
    memoOf("thanks"),
    { programAddress: stranger, data: random.bytes(random.below(9)) }
  ])

/** Changes a random instruction. */
const instruction =
  (change: (instruction: Instruction, random: SeededRandom, at: number) => Instruction): Mutation =>
  (plan, random) => {
    if (plan.instructions.length === 0) return plan
    const at = random.below(plan.instructions.length)
    return {
      ...plan,
      instructions: plan.instructions.map((each, index) => (index === at ? change(each, random, at) : each))
    }
  }

const account =
  (
    change: (
      accounts: NonNullable<Instruction["accounts"]>,
      at: number,
      random: SeededRandom
    ) => Instruction["accounts"]
  ) =>
  (each: Instruction, random: SeededRandom): Instruction => {
    const accounts = change(each.accounts ?? [], random.below(Math.max(1, each.accounts?.length ?? 0)), random)
    return { ...each, ...(accounts && { accounts }) }
  }

/** The data bytes of an instruction that the service may choose. */
const isFree = (at: number, offset: number): boolean =>
  at === 0 || at === 1 ? offset > 0 : at === 2 ? offset === 9 : offset >= 10 && offset < 74

const compiled =
  (change: (message: Compiled, random: SeededRandom) => Partial<Compiled>): Mutation =>
  (plan, random) => ({
    ...plan,
    compiled: [...plan.compiled, (message) => ({ ...message, ...change(message, random) })]
  })

const agreeing =
  (change: (agreed: Plan["agreement"], random: SeededRandom) => Partial<Plan["agreement"]>): Mutation =>
  (plan, random) => ({ ...plan, agreement: { ...plan.agreement, ...change(plan.agreement, random) } })

const asking = (change: (random: SeededRandom) => Partial<Operation.Agreement["request"]>): Mutation =>
  agreeing(({ request }, random) => ({ request: { ...request, ...change(random) } }))

/** Each changes one thing. The new value may happen to equal the old one. */
export const mutations: Readonly<Record<string, Mutation>> = {
  amount: (plan, random) => ({
    ...plan,
    instructions: plan.instructions.map((each, at) =>
      at === 2
        ? { ...each, data: transferOf({ amount: u64(random), decimals: 6 }).data ?? each.data ?? new Uint8Array() }
        : each
    )
  }),
  account: instruction(
    account((accounts, at, random) =>
      accounts.map((each, index) => (index === at ? { ...each, address: random.pick(keys) } : each))
    )
  ),
  role: instruction(
    account((accounts, at, random) =>
      accounts.map((each, index) => (index === at ? { ...each, role: random.pick(roles) } : each))
    )
  ),
  "more accounts": instruction(
    account((accounts, at, random) =>
      accounts.toSpliced(at, 0, { address: random.pick(keys), role: random.pick(roles) })
    )
  ),
  "fewer accounts": instruction(account((accounts, at) => accounts.toSpliced(at, 1))),
  "accounts in another order": instruction(account((accounts, _, random) => [...random.shuffle(accounts)])),
  data: instruction((each, random, at) => {
    const bytes = Array.from(each.data ?? [])
    const bound = bytes.map((_, offset) => offset).filter((offset) => !isFree(at, offset))
    const hit = random.pick(bound)
    return {
      ...each,
      data: Uint8Array.from(bytes, (byte, offset) => (offset === hit ? byte ^ (1 << random.below(8)) : byte))
    }
  }),
  "longer data": instruction((each, random) => ({
    ...each,
    data: Uint8Array.from([...(each.data ?? []), ...random.bytes(1 + random.below(8))])
  })),
  "shorter data": instruction((each, random) => ({
    ...each,
    data: (each.data ?? new Uint8Array()).slice(0, -1 - random.below(4))
  })),
  program: instruction((each, random) => ({ ...each, programAddress: random.pick(programs) })),
  order: (plan, random) => ({ ...plan, instructions: random.shuffle(plan.instructions) }),
  "one less": (plan, random) => ({
    ...plan,
    instructions: plan.instructions.toSpliced(random.below(plan.instructions.length), 1)
  }),
  "one twice": (plan, random) => ({ ...plan, instructions: [...plan.instructions, random.pick(plan.instructions)] }),
  "one more": (plan, random) => ({
    ...plan,
    instructions: plan.instructions.toSpliced(random.below(plan.instructions.length + 1), 0, foreign(random))
  }),
  "a nonce account": (plan, random) => ({
    ...plan,
    instructions: [
      getAdvanceNonceAccountInstruction({ nonceAccount: random.pick([stranger, source]), nonceAuthority: owner }),
      ...plan.instructions
    ]
  }),
  "one instead of another": instruction((_, random) => foreign(random)),
  "fee payer": (plan, random) => ({ ...plan, feePayer: random.pick([wallet, stranger, vault, source]) }),
  tables: (plan, random) => ({
    ...plan,
    tables: random.pick([[destination], [mint], [source, destination], [mint, source]])
  }),
  memo: (plan, random) => ({
    ...plan,
    instructions: plan.instructions.map((each, at) =>
      at === 3
        ? memoOf(
            random.pick([
              `geoswap:${hexOf(random.bytes(32))}:${hexOf(random.bytes(32))}`,
              `geoswap:${hexOf(random.bytes(31))}:${hexOf(random.bytes(33))}`,
              `geoswap:${hexOf(random.bytes(32)).toUpperCase()}:${hexOf(random.bytes(32))}`,
              `${String.fromCharCode(...(each.data ?? []))} `,
              ` ${String.fromCharCode(...(each.data ?? []))}`
            ])
          )
        : each
    )
  }),
  header: compiled(({ header, staticAccounts }, random) => {
    const field = random.pick([
      "numReadonlySignerAccounts",
      "numReadonlyNonSignerAccounts",
      "numSignerAccounts"
    ] as const)
    return { header: { ...header, [field]: random.below(staticAccounts.length) } }
  }),
  "another account in the list": compiled(({ staticAccounts }, random) => ({
    staticAccounts: staticAccounts.with(random.below(staticAccounts.length), random.pick(keys))
  })),
  "one more account in the list": compiled(({ header, staticAccounts }, random) => ({
    header: { ...header, numReadonlyNonSignerAccounts: header.numReadonlyNonSignerAccounts + 1 },
    staticAccounts: [...staticAccounts, random.pick(keys)]
  })),
  "another index": compiled(({ instructions, staticAccounts }, random) => {
    const at = random.below(instructions.length)
    return {
      instructions: instructions.map((each, index) =>
        index === at
          ? random.next() < 0.5 || each.accountIndices === undefined
            ? { ...each, programAddressIndex: random.below(staticAccounts.length) }
            : {
                ...each,
                accountIndices: each.accountIndices.with(
                  random.below(each.accountIndices.length),
                  random.below(staticAccounts.length + 2)
                )
              }
          : each
      )
    }
  }),
  "the amount agreed": asking((random) => ({ amount: u64(random) })),
  "the recipient agreed": asking((random) => ({ recipient: hexOf(random.bytes(20)) })),
  "the output token agreed": asking((random) => ({ outputToken: hexOf(random.bytes(20)) })),
  "the destination agreed": asking((random) => ({ destinationChain: 100 + random.below(1000) })),
  "the wallet agreed": asking((random) => ({ walletAddress: random.pick([relayer, vault, stranger]) })),
  "the token agreed": asking(() => ({ inputToken: "So11111111111111111111111111111111111111112" })),
  "the minimum agreed": agreeing(({ quote }, random) => ({ quote: { ...quote, minOutput: u64(random) } })),
  "the vault pinned": agreeing(({ deployment }) => ({
    deployment: { ...deployment, vault: "SysvarC1ock11111111111111111111111111111111" }
  })),
  "the relayer pinned": agreeing(({ deployment }) => ({
    deployment: { ...deployment, relayer: "SysvarC1ock11111111111111111111111111111111" }
  }))
}
