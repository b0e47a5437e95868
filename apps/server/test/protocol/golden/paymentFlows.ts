/** Payments without a delegation: with an authorization, with a permit, and what is refused. */
import type { PrivateKeyAccount } from "viem"
import { signTyped, type TypedData } from "../../money/payments/client.js"
import { delegateTo, deployForeign } from "../../money/payments/wallets.js"
import { type Answer, ask, newAddress } from "../fixture.js"
import { ended, type Flows } from "./flow.js"
import { evmPayer, fromEvm } from "./requests.js"

const textOf = ({ body }: Answer, field: string): string => String((body as Record<string, unknown>)[field])

/** Signs the typed data of a build. */
const signatureOf = (account: PrivateKeyAccount, { body }: Answer, field = "typedData") =>
  signTyped(account, (body as Record<string, TypedData | undefined>)[field])

export const paymentFlows: Flows = {
  "evm-eip3009-swap": async ({ main }, { of }) => {
    const fixture = of(main)
    const { first } = fixture
    const account = await evmPayer(main)
    const quoted = await ask(first, "/swap/quote", fromEvm(fixture, account.address))
    const geoQuoteToken = textOf(quoted, "geoQuoteToken")
    const built = await ask(first, "/swap/build-geo-op", { geoQuoteToken, paymentMethod: "eip3009" })
    const submission = { geoOpToken: textOf(built, "geoOpToken"), signature: await signatureOf(account, built) }
    const swap = await ask(first, "/swap/submit", submission)
    await ended(main, fixture, textOf(swap, "swapId"))
  },
  "evm-erc2612-swap": async ({ main }, { of }) => {
    const fixture = of(main)
    const { first } = fixture
    const account = await evmPayer(main)
    const request = fromEvm(fixture, account.address, { recipient: await newAddress("evm") })
    const quoted = await ask(first, "/swap/quote", request)
    const geoQuoteToken = textOf(quoted, "geoQuoteToken")
    const built = await ask(first, "/swap/build-geo-op", { geoQuoteToken, paymentMethod: "erc2612" })
    const swap = await ask(first, "/swap/submit", {
      geoOpToken: textOf(built, "geoOpToken"),
      signature: await signatureOf(account, built),
      permitSignature: await signatureOf(account, built, "permitTypedData")
    })
    await ended(main, fixture, textOf(swap, "swapId"))
  },
  "errors-payment": async ({ main, refresh }, { note, of }) => {
    const fixture = of(main)
    const { devnet, first } = fixture
    const account = await evmPayer(main)
    const request = fromEvm(fixture, account.address)
    const quoted = await ask(first, "/swap/quote", request)
    const geoQuoteToken = textOf(quoted, "geoQuoteToken")
    note("the wallet has not approved Permit2")
    await ask(first, "/swap/build-geo-op", { geoQuoteToken, paymentMethod: "permit2" })
    note("a method that does not exist")
    await ask(first, "/swap/build-geo-op", { geoQuoteToken, paymentMethod: "transfer" })
    const built = await ask(first, "/swap/build-geo-op", { geoQuoteToken, paymentMethod: "eip3009" })
    const geoOpToken = textOf(built, "geoOpToken")
    note("personal_sign over the hash of a payment")
    const personal = await account.signMessage({ message: { raw: textOf(built, "geoOpHash") as `0x${string}` } })
    await ask(first, "/swap/submit", { geoOpToken, signature: personal })
    note("a permit that the method does not have")
    const signature = await signatureOf(account, built)
    await ask(first, "/swap/submit", { geoOpToken, signature, permitSignature: signature })
    const foreign = await evmPayer(main)
    await delegateTo(devnet, foreign, await deployForeign(devnet))
    // The server's clock is stopped, and it reads a newer block only if the last one is old.
    for (;;) {
      refresh()
      const { body } = await ask(main.first, "/swap/quote", fromEvm(main, foreign.address))
      if (JSON.stringify((body as { readonly paymentMethods?: unknown }).paymentMethods) === "[]") break
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    note("a wallet that delegates to another provider")
    await ask(first, "/swap/quote", fromEvm(fixture, foreign.address))
  }
}
