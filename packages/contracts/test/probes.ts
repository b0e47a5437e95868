/** All probes of the vault and its accounts. Each has the name of what is wrong if the contracts do not pass it. */
import { isAddressEqual, keccak256, parseEventLogs, toHex } from "viem"
import * as FeeToken from "../src/generated/FeeToken.ts"
import * as GeoVault from "../src/generated/GeoVault.ts"
import * as Permit2 from "../src/Permit2.ts"
import { attacks, payerOf, submitPermit, validOrder } from "./attacks.ts"
import { batchProbes, type Probe } from "./batchProbes.ts"
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

/** What has to succeed, or fail, in addition to the attacks. */
const checks: ReadonlyArray<Probe> = [
  ...methods.map((method): Probe => [
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
    "the vault's account contract can be removed",
    async ({ chain, vault: to }) => {
      const own = await chain.read(to, GeoVault, "delegate", [])
      return (await chain.write(owner, to, GeoVault, "setDelegate", [own, false])).result === "WrongDelegate"
    }
  ]
]

/** All probes. */
export const probes: ReadonlyArray<Probe> = [
  ...checks,
  ...batchProbes,
  ...attacks.map(({ attempt, expected, name }): Probe => [
    name,
    async (setting) => (await attempt(setting)) === expected
  ])
]
