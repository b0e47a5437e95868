/**
 * Attacks on payments by signature, as data: the tests run them against the contracts, and against mutated contracts. A
 * mutant is noticed if an attack ends differently, or if an honest payment does.
 */
import { type Address, type Hex, numberToHex, pad, type PrivateKeyAccount } from "viem"
import * as AuthorizedToken from "../src/generated/AuthorizedToken.ts"
import * as GeoAccount from "../src/generated/GeoAccount.ts"
import * as Permit2 from "../src/Permit2.ts"
import { type Chain, encode } from "./chain.ts"
import { guardian, otherWallet, present, type Presented, relayer, stranger, wallet } from "./fixture.ts"
import {
  collection,
  hashOrder,
  hashTerms,
  type Method,
  methods,
  type Order,
  orderOf,
  paymentDigest,
  sendFrom,
  signOrder,
  signPermit,
  type Signed
} from "./payments.ts"

/** The contracts under attack, which have the relayer. The wallets are ready for every method. */
export interface Setting {
  readonly chain: Chain
  readonly vault: Address
  readonly delegate: Address
  readonly otherVault: Address
  /** Tokens with EIP-3009 and ERC-2612. */
  readonly token: Address
  readonly otherToken: Address
  /** A contract wallet of the payer's key, which approved Permit2. */
  readonly contractWallet: Address
}

export interface Attack {
  readonly name: string
  /** The error. */
  readonly expected: string
  readonly attempt: (setting: Setting) => Promise<string>
}

/** The wallet that pays: one that delegates, or one without code. */
export const payerOf = (method: Method): PrivateKeyAccount => (method === "typed" ? wallet : otherWallet)

/** The valid order that the attacks start from. */
export const validOrder = (method: Method, { chain, delegate, token, vault }: Setting, index = 0n): Order =>
  orderOf(token, { chainId: chain.id, vault, delegate, wallet: payerOf(method).address, index })

const s = (vs: Hex): Hex => numberToHex(BigInt(vs) & (2n ** 255n - 1n), { size: 32 })
const v = (vs: Hex): number => 27 + Number(BigInt(vs) >> 255n)

/** The error of a wallet, a token or Permit2 for a signature over other values. */
const refusal: Readonly<Record<Method, string>> = {
  typed: "InvalidSignature",
  eip3009: "ERC3009InvalidSignature",
  permit2: "InvalidSigner",
  erc2612: "InvalidSigner"
}

/** Presents an order by simulation. */
const attempt = ({ chain }: Setting, method: Method, order: Order, signed: Signed, from = relayer): Promise<string> =>
  chain.simulate(from.address, order.vault, collection(method, order, signed))

const sign = (method: Method, order: Order) => signOrder(method, payerOf(method), order)

/** Changes of one value each. */
const changes = (
  method: Method
): ReadonlyArray<readonly [string, (order: Order, setting: Setting) => Partial<Order>]> => [
  ["token", (_, { otherToken }) => ({ token: otherToken })],
  ["amount", ({ amount }) => ({ amount: amount + 1n })],
  ["order", () => ({ orderId: `0x${"a2".repeat(32)}` })],
  ["destination chain", ({ terms }) => ({ terms: { ...terms, destinationChain: 1n } })],
  ["output token", ({ terms, token }) => ({ terms: { ...terms, outputToken: pad(token, { size: 32 }) } })],
  ["recipient", ({ terms }) => ({ terms: { ...terms, recipient: pad(stranger.address, { size: 32 }) } })],
  ["minimum", ({ terms }) => ({ terms: { ...terms, minOutput: 1n } })],
  ["deadline", ({ deadline }) => ({ deadline: deadline + 1n })],
  ...(method === "eip3009" ? [] : ([["nonce", () => ({ index: 1n })]] as const))
]

const relayerAttacks = (method: Method): ReadonlyArray<Attack> => [
  {
    name: `${method}: a relayer changes the wallet`,
    // The other wallet delegates to our account, which Permit2 asks.
    expected: method.endsWith("2") ? "InvalidContractSignature" : refusal[method],
    attempt: async (setting) => {
      const order = validOrder(method, setting)
      return attempt(setting, method, { ...order, wallet: guardian.address }, await sign(method, order))
    }
  },
  ...changes(method).map(([name, change]) => ({
    name: `${method}: a relayer changes the ${name}`,
    expected: refusal[method],
    attempt: async (setting: Setting) => {
      const order = validOrder(method, setting)
      return attempt(setting, method, { ...order, ...change(order, setting) }, await sign(method, order))
    }
  })),
  {
    name: `${method}: a signature for another chain`,
    expected: refusal[method],
    attempt: async (setting) => {
      const order = validOrder(method, setting)
      return attempt(setting, method, order, await sign(method, { ...order, chainId: order.chainId + 1 }))
    }
  },
  {
    name: `${method}: a signature for another vault`,
    expected: refusal[method],
    attempt: async (setting) => {
      const order = validOrder(method, setting)
      return attempt(setting, method, order, await sign(method, { ...order, vault: setting.otherVault }))
    }
  },
  {
    name: `${method}: presented to another vault`,
    expected: method === "typed" ? "NotDelegated" : refusal[method],
    attempt: async (setting) => {
      const order = validOrder(method, setting)
      return attempt(setting, method, { ...order, vault: setting.otherVault }, await sign(method, order))
    }
  },
  {
    name: `${method}: another key's signature`,
    expected: refusal[method],
    attempt: async (setting) => {
      const order = validOrder(method, setting)
      return attempt(setting, method, order, await signOrder(method, stranger, order))
    }
  },
  {
    name: `${method}: a personal_sign signature over the digest`,
    expected: refusal[method],
    attempt: async (setting) => {
      const order = validOrder(method, setting)
      const payment = present(await payerOf(method).signMessage({ message: { raw: paymentDigest(method, order) } }))
      return attempt(setting, method, order, { ...(await sign(method, order)), ...payment })
    }
  },
  {
    name: `${method}: a signature with the other parity`,
    expected: refusal[method],
    attempt: async (setting) => {
      const order = validOrder(method, setting)
      const signed = await sign(method, order)
      const result = await attempt(setting, method, order, {
        ...signed,
        vs: numberToHex(BigInt(signed.vs) ^ (1n << 255n), { size: 32 })
      })
      // Some signatures recover to no address at all with the other parity.
      return result === "ECDSAInvalidSignature" || result === "InvalidSignature" ? refusal[method] : result
    }
  },
  {
    name: `${method}: an amount of zero`,
    expected: "Nothing",
    attempt: async (setting) => {
      const order = { ...validOrder(method, setting), amount: 0n }
      return attempt(setting, method, order, await sign(method, order))
    }
  },
  {
    name: `${method}: presented by a stranger`,
    expected: "NotAllowed",
    attempt: async (setting) => {
      const order = validOrder(method, setting)
      return attempt(setting, method, order, await sign(method, order), stranger)
    }
  },
  {
    name: `${method}: collected twice`,
    expected: {
      typed: "NonceUsed",
      eip3009: "ERC3009UsedAuthorization",
      permit2: "InvalidNonce",
      erc2612: "InvalidNonce"
    }[method],
    attempt: async (setting) => {
      const order = validOrder(method, setting)
      const signed = await sign(method, order)
      const { result } = await setting.chain.send(relayer, { to: order.vault, data: collection(method, order, signed) })
      return result === "done" ? attempt(setting, method, order, signed) : `not valid: ${result}`
    }
  }
]

/** A signature of one method, presented as another. Both ways through Permit2 have the same payment. */
const confusions: ReadonlyArray<Attack> = methods.flatMap((signed) =>
  methods
    .filter((presented) => presented !== signed && !(signed.startsWith("p") && presented === "erc2612"))
    .filter((presented) => !(signed === "erc2612" && presented === "permit2"))
    .map((presented) => ({
      name: `a signature for ${signed}, presented as ${presented}`,
      expected: refusal[presented],
      attempt: async (setting: Setting) => {
        const order = validOrder(presented, setting)
        return attempt(setting, presented, order, await signOrder(signed, payerOf(presented), order))
      }
    }))
)

/** The call of the token or of Permit2 that the order's vault would make. */
export const directCall = (
  method: "eip3009" | "permit2",
  order: Order,
  { r, vs }: Presented,
  {
    as = "receiveWithAuthorization",
    to = order.vault
  }: {
    readonly as?: "receiveWithAuthorization" | "transferWithAuthorization"
    readonly to?: Address
  } = {}
): readonly [to: Address, data: Hex] => {
  const { amount, deadline, index, token, vault, wallet } = order
  if (method === "eip3009") {
    const args = [wallet, vault, amount, 0n, deadline, hashOrder(order), v(vs), r, s(vs)] as const
    return [token, encode(AuthorizedToken, as, args)]
  }
  const data = encode(Permit2, "permitWitnessTransferFrom", [
    { permitted: { token, amount }, nonce: Permit2.firstNonce + index, deadline },
    { to, requestedAmount: amount },
    wallet,
    hashOrder(order),
    Permit2.witnessType,
    `${r}${s(vs).slice(2)}${v(vs).toString(16)}`
  ])
  return [Permit2.address, data]
}

/** Takes the signature of a valid order to the token or to Permit2. */
const withoutVault = async (
  setting: Setting,
  method: "eip3009" | "permit2",
  from: Address,
  options?: Parameters<typeof directCall>[3]
): Promise<string> => {
  const order = validOrder(method, setting)
  return setting.chain.simulate(from, ...directCall(method, order, await sign(method, order), options))
}

/** Submits a permit to its token, as anyone can. */
export const submitPermit = (chain: Chain, order: Order, spender: Address, { r, vs }: Presented) =>
  chain.write(stranger, order.token, AuthorizedToken, "permit", [
    order.wallet,
    spender,
    order.amount,
    order.deadline,
    v(vs),
    r,
    s(vs)
  ])

const thirdPartyAttacks: ReadonlyArray<Attack> = [
  ...[stranger, relayer].flatMap(({ address }, index): ReadonlyArray<Attack> => {
    const who = index === 0 ? "a stranger" : "a relayer, without the vault,"
    return [
      {
        name: `${who} takes an authorization to the token`,
        expected: "ERC20InvalidReceiver",
        attempt: (setting) => withoutVault(setting, "eip3009", address)
      },
      {
        name: `${who} uses an authorization as a transfer`,
        expected: "ERC3009InvalidSignature",
        attempt: (setting) => withoutVault(setting, "eip3009", address, { as: "transferWithAuthorization" })
      },
      {
        name: `${who} takes a signature to Permit2, for the vault`,
        expected: "InvalidSigner",
        attempt: (setting) => withoutVault(setting, "permit2", address)
      },
      {
        name: `${who} takes a signature to Permit2`,
        expected: "InvalidSigner",
        attempt: (setting) => withoutVault(setting, "permit2", address, { to: address })
      },
      {
        name: `${who} takes a typed operation to the wallet`,
        expected: "NotVault",
        attempt: async (setting) => {
          const { amount, deadline, index, orderId, terms, token, ...order } = validOrder("typed", setting)
          const { r, vs } = await sign("typed", validOrder("typed", setting))
          const op = { token, amount, orderId, terms: hashTerms(terms), nonce: index, deadline }
          const data = encode(GeoAccount, "payTyped", [op, r, vs])
          return setting.chain.simulate(address, order.wallet, data)
        }
      }
    ]
  }),
  {
    name: "a relayer presents a signature for a contract wallet of the same key",
    expected: "InvalidContractSignature",
    attempt: async (setting) => {
      const order = validOrder("permit2", setting)
      return attempt(setting, "permit2", { ...order, wallet: setting.contractWallet }, await sign("permit2", order))
    }
  },
  {
    name: "a relayer changes the terms after a stranger submitted the permit",
    expected: "InvalidSigner",
    attempt: async (setting) => {
      const order = validOrder("erc2612", setting)
      const signed = await sign("erc2612", order)
      await submitPermit(setting.chain, order, Permit2.address, signed.permit ?? signed)
      const terms = { ...order.terms, recipient: pad(stranger.address, { size: 32 }) }
      return attempt(setting, "erc2612", { ...order, terms }, signed)
    }
  },
  ...methods.slice(1).map((method): Attack => ({
    name: `a relayer spends an allowance for the vault with ${method}`,
    expected: refusal[method],
    attempt: async (setting) => {
      const order = validOrder("erc2612", setting)
      const permit = await signPermit(otherWallet, order, setting.vault)
      await submitPermit(setting.chain, order, setting.vault, permit)
      return attempt(setting, method, order, { ...permit, permit })
    }
  })),
  {
    name: "a relayer collects an expired typed operation",
    expected: "Expired",
    attempt: async (setting) => {
      const { timestamp } = await setting.chain.client.getBlock()
      const order = { ...validOrder("typed", setting), deadline: timestamp - 1n }
      return attempt(setting, "typed", order, await sign("typed", order))
    }
  },
  {
    name: "a relayer collects a typed operation from a wallet without a delegation",
    expected: "NotDelegated",
    attempt: async (setting) => {
      const order = { ...validOrder("typed", setting), wallet: otherWallet.address }
      return attempt(setting, "typed", order, await signOrder("typed", otherWallet, order))
    }
  },
  {
    name: "a relayer collects an authorization that the holder canceled",
    expected: "ERC3009UsedAuthorization",
    attempt: async (setting) => {
      const order = validOrder("eip3009", setting)
      const { chainId, token, wallet: authorizer } = order
      const nonce = hashOrder(order)
      const cancel = present(
        await otherWallet.signTypedData({
          domain: { name: "USD Coin", version: "1", chainId, verifyingContract: token },
          types: {
            CancelAuthorization: [
              { name: "authorizer", type: "address" },
              { name: "nonce", type: "bytes32" }
            ]
          },
          primaryType: "CancelAuthorization",
          message: { authorizer, nonce }
        })
      )
      const args = [authorizer, nonce, v(cancel.vs), cancel.r, s(cancel.vs)] as const
      await setting.chain.write(stranger, token, AuthorizedToken, "cancelAuthorization", args)
      return attempt(setting, "eip3009", order, await sign("eip3009", order))
    }
  },
  {
    name: "a relayer collects through Permit2 after the holder invalidated the nonce",
    expected: "InvalidNonce",
    attempt: async (setting) => {
      const order = validOrder("permit2", setting)
      const data = encode(Permit2, "invalidateUnorderedNonces", [Permit2.firstNonce >> 8n, 1n])
      await sendFrom(setting.chain, otherWallet, Permit2.address, data)
      return attempt(setting, "permit2", order, await sign("permit2", order))
    }
  }
]

/** All attacks. None of them may succeed. */
export const attacks: ReadonlyArray<Attack> = [...methods.flatMap(relayerAttacks), ...confusions, ...thirdPartyAttacks]
