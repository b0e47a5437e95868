import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { type ChainReader, Client, Delegation, Signer, type Network } from "../src/index.js"
import { createClient } from "../src/promise.js"
import { Fault, ScriptedTransport, TestSigner, Vectors } from "../src/testing.js"
import { failing, makeFixture, succeeding } from "./fixture.js"
import type { DelegationPreview } from "../src/programs/authorize.js"

const chainId = 8453
const wallet = Vectors.evmKey.address
const delegate = "0x9a1fc8c0369d49f3040bf49c1490e7006657ea56"
const stranger = `0x${"ab".repeat(20)}`

/** A client whose signer records what it is asked to sign. */
const recorded = (options: { readonly reads?: boolean; readonly incapable?: boolean } = {}) => {
  const service = ScriptedTransport.make()
  const inner = TestSigner.evm()
  const signed: Array<string> = []
  const { signRevocation, ...rest } = inner
  const evm: Signer.Evm = {
    ...rest,
    signOperation: (operation) => (signed.push("operation"), inner.signOperation(operation)),
    signAuthorization: (asked) => (
      signed.push(`authorization ${asked.nonce}`),
      inner.signAuthorization?.(asked) ?? Effect.die("unreachable")
    ),
    ...(options.incapable !== true && {
      signRevocation: (asked) => (
        signed.push(`revocation ${asked.nonce}`),
        signRevocation?.(asked) ?? Effect.die("unreachable")
      )
    })
  }
  const { layer } = makeFixture({
    service,
    signers: { evm },
    ...(options.reads === true && { readers: service.readers })
  })
  return { service, layer, signed, evm }
}

const codeOf = (service: ScriptedTransport.ScriptedTransport) =>
  service.readers.evm?.accountCode?.({ chainId, address: wallet }) ?? Effect.die("unreachable")

describe.each([
  ["with the caller's own node", true],
  ["without a node", false]
])("%s", (_, reads) => {
  it.effect("delegates a wallet, and removes the delegation again", () => {
    const { layer, service, signed } = recorded({ reads })
    return Effect.gen(function* () {
      expect(yield* succeeding(Client.delegate({ chainId }))).toEqual({
        chainId,
        walletAddress: wallet,
        delegatedTo: delegate,
        changed: true,
        txHash: expect.stringMatching(/^0x/) as unknown
      })
      expect(yield* codeOf(service)).toBe(`0xef0100${delegate.slice(2)}`)
      expect(
        yield* succeeding(Client.undelegate({ chainId, walletAddress: wallet.toUpperCase().replace("X", "x") }))
      ).toMatchObject({
        changed: true
      })
      expect(yield* codeOf(service)).toBe("0x")
      expect(signed).toEqual(["authorization 0", "revocation 1"])
      const bodies = service.seen("change-delegation").map(({ body }) => body["authorization"])
      expect(bodies).toMatchObject([
        { chainId, nonce: 0, address: delegate },
        { chainId, nonce: 1, address: Delegation.zeroAddress }
      ])
    }).pipe(Effect.provide(layer))
  })

  it.effect("does nothing if there is nothing to change", () => {
    const { layer, service, signed } = recorded({ reads })
    return Effect.gen(function* () {
      expect(yield* succeeding(Client.undelegate({ chainId }))).toEqual({
        chainId,
        walletAddress: wallet,
        changed: false
      })
      service.delegate(chainId, wallet)
      expect(yield* succeeding(Client.delegate({ chainId }))).toMatchObject({ changed: false, delegatedTo: delegate })
      expect(signed).toEqual([])
      expect(service.seen("change-delegation")).toEqual([])
    }).pipe(Effect.provide(layer))
  })

  it.effect("signs nothing if the wallet's code is not a pinned delegate", () => {
    const { layer, service, signed } = recorded({ reads })
    service.delegate(chainId, wallet, stranger)
    return Effect.gen(function* () {
      for (const change of [Client.delegate, Client.undelegate]) {
        expect(yield* failing(change({ chainId }))).toMatchObject({ _tag: "Unsupported" })
      }
      expect(signed).toEqual([])
      expect(service.seen("change-delegation")).toEqual([])
    }).pipe(Effect.provide(layer))
  })

  it.effect("signs again if the account's nonce has moved", () => {
    const { layer, service, signed } = recorded({ reads })
    service.delegate(chainId, wallet)
    service.next("change-delegation", Fault.moveNonce)
    return Effect.gen(function* () {
      expect(yield* succeeding(Client.undelegate({ chainId }))).toMatchObject({ changed: true })
      expect(signed).toEqual(["revocation 0", "revocation 1"])
    }).pipe(Effect.provide(layer))
  })
})

it.effect("refuses to change a delegation while a swap of the wallet is in progress", () => {
  const { layer, service } = recorded()
  service.delegate(chainId, wallet)
  service.ends("never")
  return Effect.gen(function* () {
    yield* failing(Client.execute(ScriptedTransport.evmRequest, { timeout: "5 seconds" }))
    expect(yield* failing(Client.undelegate({ chainId }))).toMatchObject({
      _tag: "SwapInProgress",
      code: "SWAP_IN_PROGRESS",
      retry: "later",
      docs: "docs/errors#swap-in-progress"
    })
    const [swap] = service.swaps
    yield* service.finish(swap?.swapId ?? "", "settled")
    service.ends("settled")
    expect(yield* succeeding(Client.undelegate({ chainId }))).toMatchObject({ changed: true })
  }).pipe(Effect.provide(layer))
})

it.effect("fails before anything is sent if the signer cannot sign a revocation", () => {
  const { layer, service } = recorded({ incapable: true })
  service.delegate(chainId, wallet)
  return Effect.gen(function* () {
    const error = yield* failing(Client.undelegate({ chainId }))
    expect(error).toMatchObject({ _tag: "SignerError", reason: "incapable" })
    expect(error.message).toContain("local account")
    expect(service.requests).toEqual([])
  }).pipe(Effect.provide(layer))
})

it.effect("never asks for a revocation in a swap", () => {
  const { layer, signed } = recorded()
  return Effect.gen(function* () {
    yield* succeeding(Client.execute(ScriptedTransport.evmRequest))
    yield* succeeding(Client.execute(ScriptedTransport.evmRequest))
    expect(signed).toEqual(["authorization 0", "operation", "operation"])
  }).pipe(Effect.provide(layer))
})

it.effect("never signs a delegation to the zero address, even if it is pinned", () => {
  const service = ScriptedTransport.make()
  const { signAuthorization: _, ...inner } = TestSigner.evm()
  const evm: Signer.Evm = { ...inner, signAuthorization: () => Effect.die("signed") }
  const deployment = { ...Vectors.evmDeployment, delegates: [Delegation.zeroAddress] }
  const network: Network.Network = { chains: [{ id: chainId, name: "base", family: "evm", deployment }] }
  const { layer } = makeFixture({ service, signers: { evm }, policy: { network } })
  service.always(
    "delegation",
    Fault.alter((answer) => ({ ...answer, delegationTarget: Delegation.zeroAddress }))
  )
  return Effect.gen(function* () {
    expect(yield* failing(Client.delegate({ chainId }))).toMatchObject({ _tag: "UnsafeOperation", field: "delegate" })
  }).pipe(Effect.provide(layer))
})

it.effect.each([
  ["chain", { chainId: Number.NaN }, { _tag: "InvalidInput", field: "chainId" }],
  ["Solana chain", { chainId: 792703809 }, { _tag: "InvalidInput", field: "chainId" }],
  ["wallet of another signer", { chainId, walletAddress: stranger }, { _tag: "InvalidInput", field: "walletAddress" }],
  ["chain without pinned contracts", { chainId: 10 }, { _tag: "PolicyViolation", rule: "network" }]
] as const)("rejects a %s before anything is sent", ([, input, error]) => {
  const { layer, service } = recorded()
  return Effect.gen(function* () {
    for (const change of [Client.delegate, Client.undelegate]) {
      expect(yield* failing(change(input))).toMatchObject(error)
    }
    expect(service.requests).toEqual([])
  }).pipe(Effect.provide(layer))
})

it.effect("repeats a call whose response was lost, without a second change", () => {
  const { layer, service, signed } = recorded()
  service.next("change-delegation", Fault.disconnect({ after: true }))
  return Effect.gen(function* () {
    expect(yield* succeeding(Client.delegate({ chainId }))).toMatchObject({ changed: true })
    expect(signed).toEqual(["authorization 0"])
    const [first, second] = service.seen("change-delegation")
    expect(second?.body).toEqual(first?.body)
  }).pipe(Effect.provide(layer))
})

it.effect("reports that the gas budget is used up, and when it is not", () => {
  const { layer, service } = recorded()
  const body = JSON.stringify({ code: "GAS_BUDGET_EXCEEDED", message: "used up" })
  const answer = { status: 429, body, headers: { "retry-after": "3600" } }
  service.always("change-delegation", { type: "respond", answer, after: false })
  return Effect.gen(function* () {
    expect(yield* failing(Client.delegate({ chainId }))).toMatchObject({
      _tag: "RateLimited",
      code: "GAS_BUDGET_EXCEEDED",
      retryAfter: 3_600_000
    })
    expect(service.seen("change-delegation")).toHaveLength(1)
  }).pipe(Effect.provide(layer))
})

it.effect("does not believe a service that reports a change which the caller's node does not show", () => {
  const { evm, service } = recorded()
  service.delegate(chainId, wallet)
  const stubborn: ChainReader.Evm = {
    ...service.readers.evm,
    accountCode: () => Effect.succeed(`0xef0100${delegate.slice(2)}` as const)
  }
  const { layer } = makeFixture({ service, signers: { evm }, readers: { evm: stubborn } })
  return Effect.gen(function* () {
    expect(yield* failing(Client.undelegate({ chainId }))).toMatchObject({
      _tag: "ProtocolError",
      endpoint: "delegation-status"
    })
  }).pipe(Effect.provide(layer))
})

it.effect("stops waiting after the timeout, and can be called again", () => {
  const { layer, service, signed } = recorded()
  service.delegate(chainId, wallet)
  service.ends("never")
  return Effect.gen(function* () {
    expect(yield* failing(Client.undelegate({ chainId }, { timeout: "3 seconds" }))).toMatchObject({
      _tag: "Unavailable",
      reason: "timeout"
    })
    service.ends("settled")
    expect(yield* succeeding(Client.undelegate({ chainId }))).toMatchObject({ changed: true })
    expect(signed).toEqual(["revocation 0", "revocation 0"])
    expect(service.seen("change-delegation")).toHaveLength(2)
  }).pipe(Effect.provide(layer))
})

it.effect("asks before it signs a delegation", () => {
  const { layer, signed } = recorded()
  return Effect.gen(function* () {
    const asked: Array<DelegationPreview> = []
    const acceptDelegation = (preview: DelegationPreview) => (asked.push(preview), Effect.succeed(false))
    expect(yield* failing(Client.delegate({ chainId }, { acceptDelegation }))).toMatchObject({ _tag: "Declined" })
    expect(asked).toEqual([{ chainId, delegate, nonce: 0 }])
    expect(signed).toEqual([])
  }).pipe(Effect.provide(layer))
})

it("delegates and undelegates with promises", async () => {
  const service = ScriptedTransport.make()
  service.ends("settled", 0)
  const client = createClient({
    transport: { send: (request) => Effect.runPromise(service.send(request)) },
    signers: { evm: Signer.evmToPromise(TestSigner.evm()) },
    network: service.network
  })
  const asked: Array<number> = []
  const accept = ({ nonce }: { readonly nonce: number }) => asked.push(nonce) > 0
  expect(await client.delegate({ chainId }, { acceptDelegation: accept })).toMatchObject({ changed: true })
  expect(asked).toEqual([0])
  expect(await client.undelegate({ chainId })).toMatchObject({ changed: true })
  expect(await client.undelegate({ chainId })).toMatchObject({ changed: false })
  const aborted = AbortSignal.abort(new Error("stop"))
  await expect(client.undelegate({ chainId }, { signal: aborted })).rejects.toThrow("stop")
})
