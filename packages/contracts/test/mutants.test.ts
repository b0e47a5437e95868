/**
 * Mutated contracts: each has one check or one bound value less, and the probes must notice it. The probes are the attacks,
 * and what has to succeed. A mutant that they do not notice would mean that nothing tests the line.
 */
import { expect, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { type Hex, isAddressEqual, keccak256, parseEventLogs, toHex } from "viem"
import { compile } from "../scripts/compile.ts"
import * as FeeToken from "../src/generated/FeeToken.ts"
import * as GeoVault from "../src/generated/GeoVault.ts"
import * as Permit2 from "../src/Permit2.ts"
import { attacks, payerOf, type Setting, submitPermit, validOrder } from "./attacks.ts"
import { accountSetting, prepareSetting, vaultSetting } from "./attackSetting.ts"
import { otherWallet, owner, stranger } from "./fixture.ts"
import * as Batcher from "./generated/Batcher.ts"
import * as NestingToken from "./generated/NestingToken.ts"
import {
  approvePermit2,
  collection,
  collectOrder,
  hashTerms,
  issue,
  methods,
  nestRefund,
  signOrder
} from "./payments.ts"
import { describeOnChain, useChain } from "./suite.ts"

interface Mutant {
  readonly name: string
  readonly file: "GeoVault" | "GeoAccountV2"
  readonly from: string
  readonly to: string
  /** Which of several occurrences to replace (default: the only one). */
  readonly nth?: number
}

/** A mutant of the vault. */
const inVault = (name: string, from: string, to: string, nth?: number): Mutant => ({
  name,
  file: "GeoVault",
  from,
  to,
  ...(nth === undefined ? {} : { nth })
})

const inAccount = (name: string, from: string, to: string): Mutant => ({ name, file: "GeoAccountV2", from, to })

const notDelegated = "if (!isDelegate(_delegateOf(account))) revert NotDelegated();"
const parity = "uint8(27 + (uint256(vs) >> 255))"
const payment = "if (!LowLevelCall.callNoReturn(target, call)) LowLevelCall.bubbleRevert();"
const removal = "if (delegate == firstDelegate || delegate == secondDelegate) revert"

const mutants: ReadonlyArray<Mutant> = [
  inVault("an order without its wallet", "TYPEHASH, account, block", "TYPEHASH, 0, block"),
  inVault("an order without its chain", "account, block.chainid,", "account, 1,"),
  inVault("an order without its id", "chainid, payment.orderId,", "chainid, bytes32(0),"),
  inVault(
    "an order without its terms",
    "chainid, payment.orderId, payment.terms",
    "chainid, payment.orderId, bytes32(0)"
  ),
  inVault("the order's id as the nonce", "nonce = _hashOrder(account, payment)", "nonce = payment.orderId"),
  inVault("nonces of Permit2 without a prefix", "PERMIT2_NONCES | index", "index"),
  inVault("Permit2 with another recipient", "{to: address(this),", "{to: account,"),
  inVault("a permit for the vault", "(account, PERMIT2,", "(account, address(this),"),
  inVault("a permit that has to succeed", "LowLevelCall.callNoReturn(\n", "require(LowLevelCall.callNoReturn(\n"),
  inVault("the wrong parity", parity, "uint8(28 - (uint256(vs) >> 255))"),
  inVault("always the same parity", parity, "27"),
  inVault("a payment that may fail", payment, "LowLevelCall.callNoReturn(target, call);"),
  inVault("no check of what arrived", "!= balance + amount", "< balance"),
  inVault("payments inside payments", "if (_amountIn(flow, hour) != sum) revert Reentered();", ""),
  inVault("refunds inside payments", "if (_amountIn(flow, hour) != sum)", "if (_amountIn(flow, hour) > sum)"),
  inVault("no record for refunds", "_set(flow, hour, sum + Math.min(amount, type(uint216).max - sum));", ""),
  inVault("an event without the terms", "account, token, amount, terms);", "account, token, amount, orderId);"),
  inVault("a second account that can be removed", removal, "if (delegate == firstDelegate) revert"),
  inVault("typed payments by anyone", "onlyRelayer {", "{", 1),
  inVault("authorizations by anyone", "onlyRelayer\n", "\n", 0),
  inVault("Permit2 by anyone", "onlyRelayer\n", "\n", 1),
  inVault("permits by anyone", "onlyRelayer {", "{", 2),
  inVault("typed payments without a delegation", notDelegated, "", 1),
  inVault("authorizations of zero", "if (payment.amount == 0) revert Nothing();", "", 0),
  inVault("Permit2 of zero", "if (payment.amount == 0) revert Nothing();", "", 1),
  inAccount("an account that anyone can call", "if (msg.sender != vault) revert NotVault();", ""),
  inAccount("an account without deadlines", "if (block.timestamp > op.deadline) revert Expired();", ""),
  inAccount("an account that accepts any signer", " || signer != address(this)", ""),
  inAccount("an account without nonces", "_use(op.nonce);", ""),
  inAccount(
    "an account that adds the prefix",
    "tryRecover(digestOf(op),",
    "tryRecover(MessageHashUtils.toEthSignedMessageHash(digestOf(op)),"
  ),
  inAccount("an operation without its wallet", "GEO_OP_TYPEHASH, address(this),", "GEO_OP_TYPEHASH, address(0),"),
  inAccount("an operation without its chain", "block.chainid, delegate", "uint256(1), delegate")
]

const sourceOf = (file: string): string => readFileSync(new URL(`../contracts/${file}`, import.meta.url), "utf8")

const mutate = ({ file, from, name, nth, to }: Mutant): string => {
  const parts = sourceOf(`${file}.sol`).split(from)
  if (parts.length < 2 || (nth === undefined && parts.length > 2))
    throw new Error(`${name}: found ${parts.length - 1} times`)
  const cut = (nth ?? 0) + 1
  const [head, tail] = [parts.slice(0, cut).join(from), parts.slice(cut).join(from)]
  // A call that becomes the argument of another one needs a second parenthesis at its end.
  return to.startsWith("require(") ? `${head}${to}${tail.replace(");\n", "));\n")}` : `${head}${to}${tail}`
}

/** Compiles all mutants together. Each is in a folder, and imports what it does not change, which is compiled once. */
const compileMutants = (): ReadonlyArray<Hex> => {
  const sources = new Map(
    mutants.map((mutant, index) => [
      `mutants/${index}/${mutant.file}.sol`,
      mutate(mutant).replaceAll('from "./', 'from "contracts/')
    ])
  )
  const contracts = compile([...sources.keys()], {
    viaIR: false,
    warnings: true,
    contentsOf: (path) => sources.get(path)
  })
  return contracts.map(({ evm }) => `0x${evm.bytecode.object}` as const)
}

/** What has to succeed, or fail, in addition to the attacks: returns the first thing that is wrong. */
const checks: ReadonlyArray<readonly [string, (setting: Setting) => Promise<boolean>]> = [
  ...methods.map((method): (typeof checks)[number] => [
    `${method} does not pay as signed, with both parities`,
    async ({ chain, ...rest }) => {
      const setting = { chain, ...rest }
      // The permit has to make the allowance.
      if (method === "erc2612") await approvePermit2(chain, otherWallet, setting.token, 0n)
      const parities = new Set<bigint>()
      const nonce = { permitNonce: 0n }
      for (let index = 0n; parities.size < 2; index++) {
        const orderId = keccak256(toHex(index))
        const order = { ...validOrder(method, setting, index), orderId, permitNonce: nonce.permitNonce++ }
        const signed = await signOrder(method, payerOf(method), order)
        parities.add(BigInt(signed.vs) >> 255n)
        const held = await chain.read(order.vault, GeoVault, "refundable", [order.token])
        const { receipt, result } = await collectOrder(chain, method, order, signed)
        const logs = receipt.logs.filter(({ address }) => isAddressEqual(address, order.vault))
        const [event] = parseEventLogs({ abi: GeoVault.abi, logs, eventName: "Collected" })
        const room = await chain.read(order.vault, GeoVault, "refundable", [order.token])
        const right = event?.args.terms === hashTerms(order.terms) && event.args.orderId === orderId
        if (result !== "done" || !right || room !== held + order.amount) return false
      }
      return true
    }
  ]),
  [
    "a permit that a third party submitted stops the order",
    async (setting) => {
      const order = validOrder("erc2612", setting)
      const signed = await signOrder("erc2612", otherWallet, order)
      await submitPermit(setting.chain, order, Permit2.address, signed.permit ?? signed)
      return (await collectOrder(setting.chain, "erc2612", order, signed)).result === "done"
    }
  ],
  [
    "a token with a fee is accepted",
    async (setting) => {
      const { chain } = setting
      const token = await issue(chain, FeeToken.bytecode)
      await approvePermit2(chain, otherWallet, token)
      const order = { ...validOrder("permit2", setting, 9n), token }
      const { result } = await collectOrder(chain, "permit2", order, await signOrder("permit2", otherWallet, order))
      return result === "WrongAmount"
    }
  ],
  [
    "one payment pays two orders",
    async (setting) => {
      const { chain, vault: to } = setting
      const token = await issue(chain, NestingToken.bytecode)
      await chain.write(owner, to, GeoVault, "setRelayer", [token, true])
      await approvePermit2(chain, otherWallet, token)
      const inner = { ...validOrder("permit2", setting, 9n), token }
      const data = collection("permit2", inner, await signOrder("permit2", otherWallet, inner))
      await chain.write(stranger, token, NestingToken, "nest", [to, data])
      const outer = { ...validOrder("eip3009", setting), token, orderId: `0x${"0e".repeat(32)}` as const }
      const { result } = await collectOrder(chain, "eip3009", outer, await signOrder("eip3009", otherWallet, outer))
      return result === "Reentered"
    }
  ],
  [
    "a refund inside a payment is forgotten",
    async (setting) => {
      const { chain, vault: to } = setting
      const token = await issue(chain, NestingToken.bytecode)
      await approvePermit2(chain, otherWallet, token)
      const first = { ...validOrder("permit2", setting, 9n), token }
      await collectOrder(chain, "permit2", first, await signOrder("permit2", otherWallet, first))
      await nestRefund(chain, to, token, first.amount)
      const outer = { ...validOrder("eip3009", setting), token, orderId: `0x${"0e".repeat(32)}` as const }
      const { result } = await collectOrder(chain, "eip3009", outer, await signOrder("eip3009", otherWallet, outer))
      return result === "Reentered"
    }
  ],
  [
    "two payments in one transaction fail",
    async (setting) => {
      const { chain, vault: to } = setting
      const batcher = await chain.deploy(owner, Batcher.bytecode)
      await chain.write(owner, to, GeoVault, "setRelayer", [batcher, true])
      const calls = await Promise.all(
        [7n, 8n].map(async (index) => {
          const order = { ...validOrder("permit2", setting, index), orderId: keccak256(toHex(index)) }
          return collection("permit2", order, await signOrder("permit2", otherWallet, order))
        })
      )
      return (await chain.write(stranger, batcher, Batcher, "run", [[to, to], calls])).result === "done"
    }
  ],
  [
    "the vault's second account can be removed",
    async ({ chain, vault: to }) => {
      const second = await chain.read(to, GeoVault, "secondDelegate", [])
      return (await chain.write(owner, to, GeoVault, "setDelegate", [second, false])).result === "WrongDelegate"
    }
  ]
]

describeOnChain("the probes", () => {
  let setting: Setting
  const chain = useChain(async (chain) => {
    setting = await prepareSetting(chain)
  })

  /** The first probe that notices something. */
  const noticed = async (target: Setting): Promise<string | undefined> => {
    const within = async <A>(work: () => Promise<A>): Promise<A> => {
      const id = await chain.client.snapshot()
      const result = await work()
      await chain.client.revert({ id })
      return result
    }
    for (const [name, check] of checks) if (!(await within(() => check(target)))) return name
    for (const { attempt, expected, name } of attacks)
      if ((await within(() => attempt(target))) !== expected) return name
    return undefined
  }

  it("notice nothing in the contracts as they are", async () => {
    expect(await noticed(setting)).toBeUndefined()
  })

  const compiled = new Map<Mutant, Hex>()
  const settingOf = (mutant: Mutant): Promise<Setting> =>
    (mutant.file === "GeoVault" ? vaultSetting : accountSetting)(setting, compiled.get(mutant) ?? "0x")

  it("run on mutants, which compile", { timeout: 600_000 }, () => {
    const all = [...originals, ...mutants]
    const bytecodes = compileAll(all)
    expect(bytecodes).toHaveLength(all.length)
    bytecodes.forEach((bytecode, index) => {
      const mutant = all[index]
      if (mutant !== undefined) compiled.set(mutant, bytecode)
    })
  })

  it.each(originals)("notice nothing in $name", async (original) => {
    expect(await noticed(await settingOf(original))).toBeUndefined()
  })

  it.each(mutants)("notice $name", async (mutant) => {
    expect(await noticed(await settingOf(mutant))).toBeDefined()
  })
})
