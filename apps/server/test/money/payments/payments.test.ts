/** Payments without a delegation on a devnet, from the quote to the delivery. */
import { describe, layer } from "@effect/vitest"
import { Permit2, TokenAbi } from "@geoswap/contracts"
import { TestToken } from "@geoswap/contracts/testing"
import type { Devnet } from "@geoswap/devnet"
import { type Address, type Hex, parseSignature, type PrivateKeyAccount } from "viem"
import { expect } from "vitest"
import * as evm from "../../stack/evm.js"
import { type Change, make, play, timeout } from "../../stack/fixture.js"
import { devnetLayer } from "../../stack/stack.js"
import { build, call, ok, pay, quoteWith, refused, requestOf, signTyped, submissionOf } from "./client.js"
import { expectSettled, pooled, withPaymentToken } from "./setup.js"
import { amount, approve, payer, tokenOf } from "./wallets.js"

const nothing = async () => ({ props: undefined })

const usdcOf = ({ evmA }: Devnet.Devnet) => tokenOf(evmA, "USDC")

const allowanceOf = ({ evmA }: Devnet.Devnet, { address }: PrivateKeyAccount, token: Address) =>
  evm.reader(evmA).readContract({
    abi: TestToken.abi,
    address: token,
    functionName: "allowance",
    args: [address, Permit2.address]
  })

describe("a payment without a delegation", () => {
  layer(devnetLayer, { timeout, excludeTestServices: true })((it) => {
    it.effect(
      "settles with permit2 to any recipient, with indices that Permit2 has not used",
      () =>
        play(nothing, async (setup) => {
          const { devnet, running } = setup
          const [account, token] = [await payer(devnet), usdcOf(devnet)]
          await approve(devnet, account, token, 3n * amount)
          const over = { recipient: evm.newAddress() }
          const request = requestOf(devnet, account.address, token, over)
          const { paymentMethods } = await quoteWith(running, request, ["delegation", "permit2"])
          const indicative = ok(await call(running, "/swap/quote", { ...request, indicative: true }))
          expect(indicative.paymentMethods).toEqual(paymentMethods)
          // The wallet uses up the first two indices itself.
          const first = Permit2.firstNonce >> 8n
          const hash = await evm.sender(devnet.evmA, account).writeContract({
            abi: Permit2.abi,
            address: Permit2.address,
            functionName: "invalidateUnorderedNonces",
            args: [first, 3n],
            gas: 100_000n
          })
          await evm.reader(devnet.evmA).waitForTransactionReceipt({ hash })
          const built = ok(await build(running, request, "permit2"))
          expect(built.payment?.["nonce"]).toBe(`${Permit2.firstNonce + 2n}`)
          const { swapId } = ok(await call(running, "/swap/submit", await submissionOf(account, built)))
          const again = ok(await pay(running, account, request, "permit2"))
          await expectSettled(setup, swapId)
          await expectSettled(setup, again.swapId)
          expect(await allowanceOf(devnet, account, token)).toBe(amount)
        }),
      timeout
    )

    it.effect(
      "settles with erc2612, even if a third party submits the permit first",
      () =>
        play(nothing, async (setup) => {
          const { devnet, running } = setup
          const [account, token] = [await payer(devnet), usdcOf(devnet)]
          const request = requestOf(devnet, account.address, token)
          const { swapId } = ok(await pay(running, account, request, "erc2612"))
          await expectSettled(setup, swapId)
          expect(await allowanceOf(devnet, account, token)).toBe(0n)

          const built = ok(await build(running, request, "erc2612"))
          const submission = await submissionOf(account, built)
          await make(devnet.evmA.hold)
          const next = ok(await call(running, "/swap/submit", submission))
          await pooled(setup)
          const { r, s, yParity } = parseSignature(submission.permitSignature as Hex)
          const permit = [
            account.address,
            Permit2.address,
            amount,
            BigInt(built.payment?.["deadline"] as number)
          ] as const
          const front = await evm.firstAsOwner(devnet, devnet.evmA, {
            abi: TokenAbi.erc2612,
            address: token,
            functionName: "permit",
            args: [...permit, 27 + yParity, r, s]
          })
          await make(devnet.evmA.release)
          await expectSettled(setup, next.swapId)
          expect((await evm.reader(devnet.evmA).getTransactionReceipt({ hash: front })).status).toBe("success")
          expect(await allowanceOf(devnet, account, token)).toBe(0n)
        }),
      timeout
    )

    it.effect(
      "is accepted once per order, with one method",
      () =>
        play(nothing, async (setup) => {
          const { devnet, running } = setup
          const account = await payer(devnet)
          const request = requestOf(devnet, account.address, usdcOf(devnet))
          const { geoQuoteToken } = ok(await call(running, "/swap/quote", request))
          const builds = await Promise.all(
            ["eip3009", "erc2612"].map((paymentMethod) =>
              call(running, "/swap/build-geo-op", { geoQuoteToken, paymentMethod })
            )
          )
          const submissions = await Promise.all(builds.map((built) => submissionOf(account, ok(built))))
          const answers = await Promise.all(submissions.map((one) => call(running, "/swap/submit", one)))
          expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(["200", "409"])
          const accepted = answers.findIndex(({ status }) => status === 200)
          const swapId = answers[accepted]?.body.swapId ?? ""
          const again = await call(running, "/swap/submit", submissions[accepted])
          expect(ok(again).swapId).toBe(swapId)
          await expectSettled(setup, swapId)
          refused(await call(running, "/swap/submit", submissions[1 - accepted]), 409, "QUOTE_ALREADY_USED")
          expect(await evm.balanceOf(devnet.evmA, usdcOf(devnet), account.address)).toBe(9n * amount)
        }),
      timeout
    )

    it.effect(
      "is refused if anything about its signatures or its build is wrong",
      () =>
        play(nothing, async ({ devnet, running }) => {
          const [account, other, token] = [await payer(devnet), await payer(devnet), usdcOf(devnet)]
          const request = requestOf(devnet, account.address, token)
          const built = ok(await build(running, request, "eip3009"))
          const { geoOpHash, geoOpToken, typedData } = built
          const submit = (body: object) => call(running, "/swap/submit", { geoOpToken, ...body })
          const signature = await signTyped(account, typedData)
          const personal = await account.signMessage({ message: { raw: geoOpHash } })
          refused(await submit({ signature: personal }), 422, "INVALID_SIGNATURE", /Sign typedData/)
          refused(await submit({ signature: await signTyped(other, typedData) }), 422, "INVALID_SIGNATURE")
          const zeroV = `${signature.slice(0, -2)}${signature.endsWith("1b") ? "00" : "01"}`
          refused(await submit({ signature: zeroV }), 422, "INVALID_SIGNATURE", /27 or 28/)
          refused(await submit({ signature, permitSignature: signature }), 400, "VALIDATION", /permitSignature/)

          const permitted = ok(await build(running, request, "erc2612"))
          const both = await submissionOf(account, permitted)
          refused(await call(running, "/swap/submit", { ...both, permitSignature: undefined }), 400, "VALIDATION")
          refused(
            await call(running, "/swap/submit", { ...both, permitSignature: both.signature }),
            422,
            "INVALID_SIGNATURE",
            /permitTypedData/
          )

          const { geoQuoteToken } = ok(await call(running, "/swap/quote", request))
          const buildWith = (body: object) => call(running, "/swap/build-geo-op", { geoQuoteToken, ...body })
          refused(await buildWith({ paymentMethod: "approve" }), 400, "VALIDATION", /paymentMethod/)
          refused(await buildWith({ paymentMethod: "permit2" }), 422, "PAYMENT_METHOD_UNAVAILABLE", /has not approved/)
          refused(await buildWith({}), 409, "NEEDS_DELEGATION")
          const authorization = await account.signAuthorization({
            chainId: devnet.evmA.id,
            address: devnet.evmA.contracts.account as Address,
            nonce: 0
          })
          const { r, s, yParity } = authorization
          const signed = { chainId: devnet.evmA.id, address: devnet.evmA.contracts.account, nonce: 0, r, s, yParity }
          refused(
            await buildWith({ paymentMethod: "eip3009", authorization: signed }),
            400,
            "VALIDATION",
            /authorization/
          )
          const elsewhere = { recipient: evm.newAddress() }
          refused(
            await build(running, { ...request, ...elsewhere }, "eip3009"),
            422,
            "PAYMENT_METHOD_UNAVAILABLE",
            /recipient must be the wallet/
          )
        }),
      timeout
    )

    it.effect(
      "reuses the index of a refused payment only within Permit2",
      () =>
        play(nothing, async ({ devnet, running }) => {
          const [account, token] = [await payer(devnet), usdcOf(devnet)]
          const request = requestOf(devnet, account.address, token)
          const first = ok(await build(running, request, "erc2612"))
          const previous = { previousGeoOpToken: first.geoOpToken }
          const second = ok(await build(running, request, "erc2612", previous))
          expect(second.payment?.["nonce"]).toBe(first.payment?.["nonce"])
          expect(ok(await build(running, request, "erc2612")).payment?.["nonce"]).not.toBe(first.payment?.["nonce"])
          refused(await build(running, request, "eip3009", previous), 400, "VALIDATION", /paymentMethod/)
          const authorized = ok(await build(running, request, "eip3009"))
          const another = { previousGeoOpToken: authorized.geoOpToken }
          refused(await build(running, request, "erc2612", another), 400, "VALIDATION", /paymentMethod/)
          ok(await call(running, "/swap/submit", await submissionOf(account, first)))
          refused(await call(running, "/swap/submit", await submissionOf(account, second)), 409, "NONCE_USED")
          refused(await build(running, request, "erc2612", previous), 409, "NONCE_USED")
        }),
      timeout
    )

    it.effect(
      "is refused for a token that charges a fee, and not offered for a token that lists no method",
      () =>
        play(
          async (devnet) => {
            const fee = withPaymentToken(devnet, "FEE", { methods: ["permit2"] })
            const plain = withPaymentToken(devnet, "PLAIN")
            const change: Change = (file) => plain(fee(file))
            return { change, props: undefined }
          },
          async ({ devnet, running }) => {
            const account = await payer(devnet, "FEE", "PLAIN")
            const whole = 10n ** 18n
            const requestFor = async (symbol: string) => {
              const address = tokenOf(devnet.evmA, symbol)
              const args = [account.address, 10n * whole]
              await evm.asOwner(devnet, devnet.evmA, { address, abi: TestToken.abi, functionName: "mint", args })
              await approve(devnet, account, address, 10n * whole)
              return requestOf(devnet, account.address, address, { amount: `${2n * whole}` })
            }
            const answer = await pay(running, account, await requestFor("FEE"), "permit2")
            refused(answer, 422, "PAYMENT_METHOD_UNAVAILABLE", /WrongAmount/)
            const plain = await requestFor("PLAIN")
            await quoteWith(running, plain, ["delegation"])
            refused(await build(running, plain, "permit2"), 422, "PAYMENT_METHOD_UNAVAILABLE", /does not offer/)
          }
        ),
      timeout
    )
  })
})
