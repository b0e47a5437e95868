/** Objects that change while they are read, and values that imitate the expected type. */
import { describe, expect, it } from "@effect/vitest"
import type { Operation, Signer } from "@geoswap/core"
import * as Hash from "ox/Hash"
import { authorizationSigner, digestOf, tupleHash } from "../../../tooling/testing/evm/chainLibrary.js"
import { rejection } from "../../../tooling/testing/expectError.ts"
import { EvmSigner } from "../src/index.js"
import { account, alive, delegate, type Hex, operation, tuple } from "./fixture.js"
import { agreement, built } from "./operations.js"
import { address, digestService, sign } from "./wallets.js"

const other: Hex = "0x00000000000000000000000000000000000000aa"
const codeHash: Hex = `0x${"c0".repeat(32)}`
const { quote, request } = agreement
const { geoOp } = operation

/** An instance whose properties are class getters. Each returns its next value, and then the last one forever. */
const flipping = (members: Readonly<Record<string, ReadonlyArray<unknown>>>) => {
  const reads = new Map<string, number>()
  const getters = Object.entries(members).map(([name, values]) => {
    const get = () => {
      const read = reads.get(name) ?? 0
      reads.set(name, read + 1)
      return values[Math.min(read, values.length - 1)]
    }
    return [name, { get, enumerable: true }] as const
  })
  return { reads, object: Object.create(Object.defineProperties({}, Object.fromEntries(getters))) as never }
}

const steady = (members: object, lies: Readonly<Record<string, unknown>> = {}) =>
  flipping(
    Object.fromEntries(
      Object.entries(members).map(([name, value]) => [name, name in lies ? [value, lies[name]] : [value]])
    )
  )

const refusals = async (lie: unknown, rpc?: EvmSigner.Options["rpc"]) => {
  const service = digestService()
  const { signOperation, verifyOperation } = EvmSigner.fromKeyService(service, { rpc })
  const requested = lie as Signer.OperationToSign
  const errors = [
    await rejection(Promise.resolve(verifyOperation?.(requested, alive()))),
    await rejection(signOperation(requested, alive()))
  ]
  expect(service.requested).toHaveLength(0)
  return errors
}

const expectRefused = async (lie: unknown, field: string) => {
  for (const error of await refusals(lie)) expect(error).toMatchObject({ _tag: "UnsafeOperation", field })
}

describe("an operation with class getters", () => {
  const parts = {
    request: [
      request,
      {
        originChain: 1,
        amount: 1n,
        inputToken: other,
        outputToken: other,
        recipient: other,
        walletAddress: other,
        destinationChain: 10
      }
    ],
    quote: [quote, { output: 1n, minOutput: 1n }],
    deployment: [
      { ...agreement.deployment, codeHash },
      { delegates: [other], vault: other, codeHash: `0x${"00".repeat(32)}` }
    ],
    geoOp: [
      geoOp,
      {
        ...built(agreement, { geoOp: { amount: 1n, vault: other, token: other, delegate: other, nonce: 1n } }).geoOp,
        deadline: 1,
        orderId: codeHash,
        terms: codeHash,
        wallet: other,
        chainId: 1
      }
    ]
  } as const

  it.each(Object.entries(parts))("is signed as first read, and its %s is read once", async (part, [members, lies]) => {
    const signer = EvmSigner.fromAccount(account)
    const signature = await account.sign({ hash: operation.geoOpHash })
    for (const [ask, result] of [
      [(requested: Signer.OperationToSign) => signer.verifyOperation?.(requested, alive()), undefined],
      [(requested: Signer.OperationToSign) => signer.signOperation(requested, alive()), signature]
    ] as const) {
      const { object, reads } = steady(members, lies)
      const whole = steady({ ...operation, [part]: object }, { [part]: null, geoOpHash: codeHash })
      expect(await ask(whole.object)).toBe(result)
      expect(Object.keys(lies).filter((name) => reads.get(name) !== 1)).toStrictEqual([])
      expect([...reads.values(), ...whole.reads.values()].filter((count) => count !== 1)).toStrictEqual([])
    }
  })

  it.each(Object.entries(parts.geoOp[1]))(
    "is refused if %s matches the agreement only on the first read",
    async (name, lie) => {
      const geoOpHash = digestOf({ ...geoOp, [name]: lie })
      await expectRefused(
        {
          ...operation,
          geoOpHash,
          get geoOp() {
            return steady(geoOp, { [name]: lie }).object
          }
        },
        "geoOpHash"
      )
    }
  )
})

describe("a delegation", () => {
  it("is signed for the chain, contract and nonce that were read first", async () => {
    const service = digestService()
    const { object } = steady(tuple, { chainId: 0, address: other, nonce: 7, deployment: undefined })
    const signed = await EvmSigner.fromKeyService(service).signAuthorization?.(object, alive())
    expect(signed).toMatchObject({ chainId: 8453, address: delegate, nonce: 1 })
    expect(service.requested).toStrictEqual([tupleHash(tuple)])
  })

  it("is refused if the chain id was 0 on the first read", async () => {
    const service = digestService()
    const { object } = flipping({ chainId: [0, 8453], address: [delegate], nonce: [1], deployment: [tuple.deployment] })
    const error = await rejection(
      Promise.resolve(EvmSigner.fromKeyService(service).signAuthorization?.(object, alive()))
    )
    expect(error).toMatchObject({ _tag: "UnsafeOperation", field: "chainId" })
    expect(service.requested).toHaveLength(0)
  })

  it("is not affected by changes while the chain is read", async () => {
    const service = digestService()
    const delegates: Array<string> = [delegate]
    const deployment = { ...agreement.deployment, delegates, codeHash: Hash.keccak256("0x00") }
    const requested = { ...tuple, deployment }
    const read: Array<unknown> = []
    const node = {
      request: ({ method, params }: { readonly method: string; readonly params?: unknown }) => {
        delegates.splice(0, 1, other)
        Object.assign(requested, { chainId: 0, address: other, nonce: 9 })
        Object.assign(deployment, { codeHash })
        if (method === "eth_chainId") return Promise.resolve("0x2105")
        read.push(params)
        return Promise.resolve("0x00")
      }
    }
    const signed = await EvmSigner.fromKeyService(service, { rpc: { 8453: node } }).signAuthorization?.(
      requested,
      alive()
    )
    expect(read).toStrictEqual([[delegate, "latest"]])
    expect(signed).toMatchObject({ chainId: 8453, address: delegate, nonce: 1 })
    expect(service.requested).toStrictEqual([tupleHash(tuple)])
  })

  it("is refused, like an operation, if the contract is pinned only on a second read", async () => {
    const deployment = () => {
      let read = 0
      const pinned = { get: () => (read++ === 0 ? delegate : other), enumerable: true }
      return { ...agreement.deployment, delegates: Object.defineProperty([delegate], 0, pinned) }
    }
    const service = digestService()
    const { signAuthorization } = EvmSigner.fromKeyService(service)
    const requested = { ...tuple, address: other, deployment: deployment() }
    const error = await rejection(Promise.resolve(signAuthorization?.(requested, alive())))
    expect(error).toMatchObject({ _tag: "UnsafeOperation", field: "delegate" })
    expect(service.requested).toHaveLength(0)
    const lie = built(agreement, { geoOp: { delegate: other } })
    for (const again of await refusals({
      ...lie,
      get deployment() {
        return deployment()
      }
    })) {
      expect(again).toMatchObject({ _tag: "UnsafeOperation", field: "delegate" })
    }
  })

  it("is not affected by a wallet that changes its arguments", async () => {
    const mutating = (early: boolean): EvmSigner.MessageService => ({
      address,
      signMessage: () => "0x",
      signAuthorization: (requested) => {
        const change = () => Object.assign(requested, { chainId: 0, address: other, nonce: 9 })
        if (early) change()
        const { r, s, yParity } = sign(tupleHash(requested))
        if (!early) change()
        return { r, s, yParity }
      }
    })
    const signed = await EvmSigner.fromKeyService(mutating(false)).signAuthorization?.(tuple, alive())
    expect(signed).toMatchObject({ chainId: 8453, address: delegate, nonce: 1 })
    expect(signed && authorizationSigner(signed).toLowerCase()).toBe(address)
    const error = await rejection(
      Promise.resolve(EvmSigner.fromKeyService(mutating(true)).signAuthorization?.(tuple, alive()))
    )
    expect(error).toMatchObject({ _tag: "SignerError", reason: "invalid" })
  })

  it.each<[string, string, unknown]>([
    ["the deployment is null", "deployment", { ...tuple, deployment: null }],
    ["the deployment is false", "deployment", { ...tuple, deployment: false }],
    ["the delegates are a string", "delegates", { ...tuple, deployment: { ...tuple.deployment, delegates: delegate } }],
    ["the delegates are null", "delegates", { ...tuple, deployment: { ...tuple.deployment, delegates: null } }],
    [
      "a delegate imitates a string",
      "delegates",
      { ...tuple, deployment: { ...tuple.deployment, delegates: [{ toLowerCase: () => other }] }, address: other }
    ],
    [
      "the contract imitates a string",
      "delegate",
      { ...tuple, address: { toLowerCase: () => delegate, toString: () => delegate } }
    ],
    ["the chain imitates a number", "chainId", { ...tuple, chainId: { valueOf: () => 8453 } }],
    ["the chain is a bigint", "chainId", { ...tuple, chainId: 8453n }],
    ["the nonce is a bigint", "nonce", { ...tuple, nonce: 1n }],
    ["the vault is missing", "vault", { ...tuple, deployment: { delegates: [delegate] } }]
  ])("is refused if %s", async (_, field, lie) => {
    const service = digestService()
    const { signAuthorization } = EvmSigner.fromKeyService(service)
    const error = await rejection(Promise.resolve(signAuthorization?.(lie as Signer.AuthorizationToSign, alive())))
    expect(error).toMatchObject({ _tag: "UnsafeOperation", field })
    expect(service.requested).toHaveLength(0)
  })
})

describe("an operation is refused if", () => {
  const deployment = { ...agreement.deployment, codeHash }
  const asking = (part: Partial<Record<keyof Operation.Agreement | "geoOp", object>>) => {
    const changed = Object.entries(part).map(([name, lie]) => [
      name,
      { ...{ request, quote, deployment, geoOp }[name as "request"], ...lie }
    ])
    return { ...operation, deployment, ...Object.fromEntries(changed) } as unknown
  }
  /** Imitates one string first, and then another. */
  const text = (first: string, then: string) => {
    let read = 0
    return { toLowerCase: () => (read++ === 0 ? first : then), slice: () => first, toString: () => first }
  }
  /** Imitates a number. */
  const number = (value: number) => ({ valueOf: () => value, toString: () => `${value}` })

  it.each<[string, string, unknown]>([
    ["the vault imitates a string", "vault", asking({ geoOp: { vault: text(geoOp.vault, other) } })],
    ["the pinned vault imitates a string", "vault", asking({ deployment: { vault: text(geoOp.vault, other) } })],
    [
      "a pinned delegate imitates a string",
      "delegates",
      asking({ deployment: { delegates: [text(delegate, other)] } })
    ],
    ["the deadline imitates a number", "deadline", asking({ geoOp: { deadline: number(geoOp.deadline) } })],
    ["the deadline is a bigint", "deadline", asking({ geoOp: { deadline: BigInt(geoOp.deadline) } })],
    ["the deadline is a fraction", "deadline", asking({ geoOp: { deadline: geoOp.deadline - 0.5 } })],
    ["the origin is a string", "originChain", asking({ request: { originChain: "8453" }, geoOp: { chainId: "8453" } })],
    ["the origin is a bigint", "originChain", asking({ request: { originChain: 8453n }, geoOp: { chainId: 8453n } })],
    ["the origin imitates a number", "originChain", asking({ request: { originChain: number(8453) } })],
    ["the chain is a string", "chainId", asking({ geoOp: { chainId: "8453" } })],
    ["the destination is a string", "destinationChain", asking({ request: { destinationChain: "42161" } })],
    ["the amount is a number", "amount", asking({ request: { amount: 10_000_000 }, geoOp: { amount: 10_000_000 } })],
    ["the requested amount is a string", "amount", asking({ request: { amount: "10000000" } })],
    ["the nonce is a number", "nonce", asking({ geoOp: { nonce: 7 } })],
    ["the order is 31 bytes", "orderId", asking({ geoOp: { orderId: geoOp.orderId.slice(0, -2) } })],
    ["the terms are missing", "terms", asking({ geoOp: { terms: undefined } })],
    ["the token is longer than an address", "token", asking({ geoOp: { token: `${geoOp.token}00` } })],
    ["the token imitates a string", "inputToken", asking({ request: { inputToken: text(geoOp.token, other) } })],
    ["the wallet imitates a string", "walletAddress", asking({ request: { walletAddress: text(address, other) } })],
    ["the recipient is null", "recipient", asking({ request: { recipient: null } })],
    ["the recipient is empty", "recipient", asking({ request: { recipient: "" } })],
    ["the minimum is null", "minOutput", asking({ quote: { minOutput: null } })],
    ["the minimum is a number", "minOutput", asking({ quote: { minOutput: 0 } })],
    ["the output is a string", "output", asking({ quote: { output: "1" } })],
    ["the code hash is empty", "codeHash", asking({ deployment: { codeHash: "" } })],
    ["the code hash is null", "codeHash", asking({ deployment: { codeHash: null } })],
    ["the code hash is false", "codeHash", asking({ deployment: { codeHash: false } })],
    ["the code hash imitates a string", "codeHash", asking({ deployment: { codeHash: text(codeHash, codeHash) } })],
    ["the delegates are null", "delegates", asking({ deployment: { delegates: null } })],
    ["the delegates are a Set", "delegates", asking({ deployment: { delegates: new Set([delegate]) } })],
    ...[null, false, 0, ""].flatMap((nothing) =>
      ["deployment", "geoOp", "request", "quote"].map((part): [string, string, unknown] => [
        `the ${part} is ${JSON.stringify(nothing)}`,
        part,
        { ...operation, [part]: nothing }
      ])
    )
  ])("%s", async (_, field, lie) => {
    const requested: Array<unknown> = []
    const node = { request: (args: unknown) => Promise.resolve(requested.push(args)) }
    for (const error of await refusals(lie, { 8453: node })) {
      expect(error).toMatchObject({ _tag: "UnsafeOperation", field })
    }
    expect(requested).toHaveLength(0)
  })

  // Both have the same 32 bytes as a valid amount, so terms and hash match.
  it.each([
    [-1n, 2n ** 256n - 1n],
    [2n ** 256n + 5n, 5n],
    [2n ** 256n, 0n]
  ])("the minimum is %s, which wraps around", async (minOutput, wrapped) => {
    const { deployment: pinned } = agreement
    const wrapping = built({ request, deployment: pinned, quote: { ...quote, minOutput: wrapped } })
    const { signOperation } = EvmSigner.fromAccount(account)
    await signOperation(wrapping, alive())
    await expectRefused({ ...wrapping, quote: { ...quote, minOutput } }, "minOutput")
    const { minOutput: _, ...rest } = quote
    await expectRefused({ ...wrapping, quote: { ...rest, output: minOutput } }, "output")
  })
})
