/** Transactions whose meaning was changed, written as valid bytes: the decoder lets them pass, the judgement must not. */
import type { Operation, Signer } from "@geoswap/core"
import { getSetComputeUnitLimitInstruction, getSetComputeUnitPriceInstruction } from "@solana-program/compute-budget"
import { getTransferSolInstruction } from "@solana-program/system"
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
import type { Chance } from "../../../tooling/testing/chance.ts"
import { hashTerms } from "./service.js"
import { tableName } from "./tables.js"
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

/** A transaction as a thing to change: its instructions, who pays, the compiled message, and what was agreed. */
export interface Plan {
  readonly instructions: ReadonlyArray<Instruction>
  readonly feePayer: Address
  readonly blockhash: Blockhash
  readonly tables: ReadonlyArray<Address>
  readonly compiled: ReadonlyArray<(message: Compiled) => Compiled>
  readonly agreement: Operation.Agreement & { readonly deployment: Operation.Deployment }
}

const hexOf = (bytes: Uint8Array) => `0x${Buffer.from(bytes).toString("hex")}`
const u64 = (chance: Chance): bigint => BigInt(hexOf(chance.bytes(8)))
const anyAddress = (chance: Chance): Address => getAddressDecoder().decode(chance.bytes(32))

/** A transaction that fits, with everything that is the service's choice chosen by chance. */
export const honestPlan = (chance: Chance): Plan => {
  const amount = chance.pick([1n, 5_000_000n, 2n ** 64n - 1n, u64(chance) || 1n])
  const request = {
    ...agreement.request,
    amount,
    destinationChain: chance.pick([1, 8453, 42161]),
    outputToken: hexOf(chance.bytes(20)),
    recipient: hexOf(chance.bytes(20))
  }
  const quote = { ...agreement.quote, minOutput: BigInt(hexOf(chance.bytes(chance.pick([1, 8, 32])))) }
  const terms = hashTerms({ ...request, minOutput: quote.minOutput })
  return {
    instructions: [
      getSetComputeUnitLimitInstruction({ units: chance.below(2 ** 32) }),
      getSetComputeUnitPriceInstruction({ microLamports: u64(chance) }),
      transferOf({ amount, decimals: chance.below(256) }),
      memoOf(`geoswap:${hexOf(chance.bytes(32))}:${terms}`)
    ],
    feePayer: relayer,
    blockhash: anyAddress(chance) as string as Blockhash,
    tables: [],
    compiled: [],
    agreement: { ...agreement, request, quote }
  }
}

/** The accounts of a message in another order, each among those of its own rights. */
export const reordered =
  (chance: Chance) =>
  (message: Compiled): Compiled => {
    const { header, instructions, staticAccounts } = message
    const readOnlyFrom = staticAccounts.length - header.numReadonlyNonSignerAccounts
    const shuffled = [
      ...staticAccounts.slice(0, header.numSignerAccounts),
      ...chance.shuffle(staticAccounts.slice(header.numSignerAccounts, readOnlyFrom)),
      ...chance.shuffle(staticAccounts.slice(readOnlyFrom))
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

/** What to sign; throws where kit has no way to write such a thing. */
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

type Mutation = (plan: Plan, chance: Chance) => Plan

/** Keys of the transaction's side; the agreement's side uses others, so that no two lies make a truth. */
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
const foreign = (chance: Chance): Instruction =>
  chance.pick([
    getApproveInstruction({ source, delegate: stranger, owner, amount: 1n }),
    getCloseAccountInstruction({ account: source, destination: stranger, owner }),
    getTransferSolInstruction({ source: owner, destination: stranger, amount: 1n }),
    getSyncNativeInstruction({ account: source }),
    transferOf({ destination: strangersAccount }),
    memoOf("thanks"),
    { programAddress: stranger, data: chance.bytes(chance.below(9)) }
  ])

/** Changes one instruction, chosen by chance. */
const instruction =
  (change: (instruction: Instruction, chance: Chance, at: number) => Instruction): Mutation =>
  (plan, chance) => {
    if (plan.instructions.length === 0) return plan
    const at = chance.below(plan.instructions.length)
    return {
      ...plan,
      instructions: plan.instructions.map((each, index) => (index === at ? change(each, chance, at) : each))
    }
  }

const account =
  (change: (accounts: NonNullable<Instruction["accounts"]>, at: number, chance: Chance) => Instruction["accounts"]) =>
  (each: Instruction, chance: Chance): Instruction => {
    const accounts = change(each.accounts ?? [], chance.below(Math.max(1, each.accounts?.length ?? 0)), chance)
    return { ...each, ...(accounts && { accounts }) }
  }

/** The bytes of an instruction's data that the service chooses. */
const isFree = (at: number, offset: number): boolean =>
  at === 0 || at === 1 ? offset > 0 : at === 2 ? offset === 9 : offset >= 10 && offset < 74

const compiled =
  (change: (message: Compiled, chance: Chance) => Partial<Compiled>): Mutation =>
  (plan, chance) => ({
    ...plan,
    compiled: [...plan.compiled, (message) => ({ ...message, ...change(message, chance) })]
  })

const agreeing =
  (change: (agreed: Plan["agreement"], chance: Chance) => Partial<Plan["agreement"]>): Mutation =>
  (plan, chance) => ({ ...plan, agreement: { ...plan.agreement, ...change(plan.agreement, chance) } })

const asking = (change: (chance: Chance) => Partial<Operation.Agreement["request"]>): Mutation =>
  agreeing(({ request }, chance) => ({ request: { ...request, ...change(chance) } }))

/** Each changes one thing; now and then it happens to be what it was. */
export const mutations: Readonly<Record<string, Mutation>> = {
  amount: (plan, chance) => ({
    ...plan,
    instructions: plan.instructions.map((each, at) =>
      at === 2
        ? { ...each, data: transferOf({ amount: u64(chance), decimals: 6 }).data ?? each.data ?? new Uint8Array() }
        : each
    )
  }),
  account: instruction(
    account((accounts, at, chance) =>
      accounts.map((each, index) => (index === at ? { ...each, address: chance.pick(keys) } : each))
    )
  ),
  role: instruction(
    account((accounts, at, chance) =>
      accounts.map((each, index) => (index === at ? { ...each, role: chance.pick(roles) } : each))
    )
  ),
  "more accounts": instruction(
    account((accounts, at, chance) =>
      accounts.toSpliced(at, 0, { address: chance.pick(keys), role: chance.pick(roles) })
    )
  ),
  "fewer accounts": instruction(account((accounts, at) => accounts.toSpliced(at, 1))),
  "accounts in another order": instruction(account((accounts, _, chance) => [...chance.shuffle(accounts)])),
  data: instruction((each, chance, at) => {
    const bytes = Array.from(each.data ?? [])
    const bound = bytes.map((_, offset) => offset).filter((offset) => !isFree(at, offset))
    const hit = chance.pick(bound)
    return {
      ...each,
      data: Uint8Array.from(bytes, (byte, offset) => (offset === hit ? byte ^ (1 << chance.below(8)) : byte))
    }
  }),
  "longer data": instruction((each, chance) => ({
    ...each,
    data: Uint8Array.from([...(each.data ?? []), ...chance.bytes(1 + chance.below(8))])
  })),
  "shorter data": instruction((each, chance) => ({
    ...each,
    data: (each.data ?? new Uint8Array()).slice(0, -1 - chance.below(4))
  })),
  program: instruction((each, chance) => ({ ...each, programAddress: chance.pick(programs) })),
  order: (plan, chance) => ({ ...plan, instructions: chance.shuffle(plan.instructions) }),
  "one less": (plan, chance) => ({
    ...plan,
    instructions: plan.instructions.toSpliced(chance.below(plan.instructions.length), 1)
  }),
  "one twice": (plan, chance) => ({ ...plan, instructions: [...plan.instructions, chance.pick(plan.instructions)] }),
  "one more": (plan, chance) => ({
    ...plan,
    instructions: plan.instructions.toSpliced(chance.below(plan.instructions.length + 1), 0, foreign(chance))
  }),
  "one in place of another": instruction((_, chance) => foreign(chance)),
  "fee payer": (plan, chance) => ({ ...plan, feePayer: chance.pick([wallet, stranger, vault, source]) }),
  tables: (plan, chance) => ({
    ...plan,
    tables: chance.pick([[destination], [mint], [source, destination], [mint, source]])
  }),
  memo: (plan, chance) => ({
    ...plan,
    instructions: plan.instructions.map((each, at) =>
      at === 3
        ? memoOf(
            chance.pick([
              `geoswap:${hexOf(chance.bytes(32))}:${hexOf(chance.bytes(32))}`,
              `geoswap:${hexOf(chance.bytes(31))}:${hexOf(chance.bytes(33))}`,
              `geoswap:${hexOf(chance.bytes(32)).toUpperCase()}:${hexOf(chance.bytes(32))}`,
              `${String.fromCharCode(...(each.data ?? []))} `,
              ` ${String.fromCharCode(...(each.data ?? []))}`
            ])
          )
        : each
    )
  }),
  header: compiled(({ header, staticAccounts }, chance) => {
    const field = chance.pick([
      "numReadonlySignerAccounts",
      "numReadonlyNonSignerAccounts",
      "numSignerAccounts"
    ] as const)
    return { header: { ...header, [field]: chance.below(staticAccounts.length) } }
  }),
  "another account in the list": compiled(({ staticAccounts }, chance) => ({
    staticAccounts: staticAccounts.with(chance.below(staticAccounts.length), chance.pick(keys))
  })),
  "one more account in the list": compiled(({ header, staticAccounts }, chance) => ({
    header: { ...header, numReadonlyNonSignerAccounts: header.numReadonlyNonSignerAccounts + 1 },
    staticAccounts: [...staticAccounts, chance.pick(keys)]
  })),
  "another index": compiled(({ instructions, staticAccounts }, chance) => {
    const at = chance.below(instructions.length)
    return {
      instructions: instructions.map((each, index) =>
        index === at
          ? chance.next() < 0.5 || each.accountIndices === undefined
            ? { ...each, programAddressIndex: chance.below(staticAccounts.length) }
            : {
                ...each,
                accountIndices: each.accountIndices.with(
                  chance.below(each.accountIndices.length),
                  chance.below(staticAccounts.length + 2)
                )
              }
          : each
      )
    }
  }),
  "the amount agreed": asking((chance) => ({ amount: u64(chance) })),
  "the recipient agreed": asking((chance) => ({ recipient: hexOf(chance.bytes(20)) })),
  "the output token agreed": asking((chance) => ({ outputToken: hexOf(chance.bytes(20)) })),
  "the destination agreed": asking((chance) => ({ destinationChain: 100 + chance.below(1000) })),
  "the wallet agreed": asking((chance) => ({ walletAddress: chance.pick([relayer, vault, stranger]) })),
  "the token agreed": asking(() => ({ inputToken: "So11111111111111111111111111111111111111112" })),
  "the minimum agreed": agreeing(({ quote }, chance) => ({ quote: { ...quote, minOutput: u64(chance) } })),
  "the vault pinned": agreeing(({ deployment }) => ({
    deployment: { ...deployment, vault: "SysvarC1ock11111111111111111111111111111111" }
  })),
  "the relayer pinned": agreeing(({ deployment }) => ({
    deployment: { ...deployment, relayer: "SysvarC1ock11111111111111111111111111111111" }
  }))
}
