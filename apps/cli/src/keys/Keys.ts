/** Finds and opens the user's keys. The code for each chain family is loaded only when needed. */
import { existsSync, readFileSync } from "node:fs"
import { isAbsolute, join, resolve } from "node:path"
import { Chain } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Prompts from "../terminal/Prompts.js"
import { checksumProblem } from "../chains/addressProblem.js"
import { type Host as HostShape, Host, variable } from "../node/Host.js"
import { FileProblem, readSecret, describeFileError } from "../node/secretFile.js"
import { parseEvmKey, parseSolanaKey } from "./parseKey.js"
import { decrypt, KeyError, parse } from "./Keystore.js"
import { Settings, type Wallet } from "../config/Settings.js"

export { KeyError } from "./Keystore.js"

/** The source of a key. */
export type Source =
  | { readonly kind: "environment"; readonly variable: string }
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "keystore"; readonly path: string }
  | { readonly kind: "devnet"; readonly wallet: Wallet }

/** The environment variable that holds the key for each chain family. */
export const variables: Readonly<Record<Chain.Family, string>> = {
  evm: "GEOSWAP_EVM_KEY",
  solana: "GEOSWAP_SOLANA_KEY"
}

/** The display name of each chain family. */
export const familyName: Readonly<Record<Chain.Family, string>> = { evm: "EVM", solana: "Solana" }

const fail = (message: string, next: string) => new KeyError({ message, next })

/** Describes the source of a key, without revealing any part of the key. */
export const describeSource = (source: Source): string => {
  switch (source.kind) {
    case "environment":
      return `the environment variable ${source.variable}`
    case "file":
      return `the file ${source.path}`
    case "keystore":
      return `the keystore ${source.path}`
    case "devnet":
      return `the devnet wallet ${source.wallet.name}`
  }
}

/** Finds a devnet wallet by name, by position such as `evm-2`, or by address. */
const findWallet = (wallets: ReadonlyArray<Wallet>, name: string): Wallet | undefined => {
  const [, family, position] = /^(evm|solana)-([1-9]\d?)$/.exec(name) ?? []
  return (
    wallets.find((wallet) => wallet.name.toLowerCase() === name.toLowerCase()) ??
    wallets.find((wallet) => Chain.sameAddress(wallet.kind, wallet.address, name)) ??
    wallets.filter(({ kind }) => kind === family)[Number(position) - 1]
  )
}

const devnetSource = ({ wallet: name, wallets }: Settings, family: Chain.Family) => {
  const ofFamily = wallets.filter(({ kind }) => kind === family)
  const names = ofFamily.map((wallet) => wallet.name).join(", ")
  const wallet = name === undefined ? ofFamily[0] : findWallet(wallets, name)
  if (wallet === undefined) {
    return Effect.fail(fail(`The devnet has no wallet "${name ?? ""}".`, `${familyName[family]} wallets: ${names}`))
  }
  return wallet.kind === family
    ? Effect.succeed<Source>({ kind: "devnet", wallet })
    : Effect.fail(
        fail(
          `${wallet.name} is a wallet for ${familyName[wallet.kind]} chains, but a wallet for ${familyName[family]} chains is needed.`,
          `Use one of: ${names}`
        )
      )
}

/** Resolves a keystore by path, or by name in Foundry's keystore folder. */
export const keystorePath = (host: HostShape, folder: string, named: string): string => {
  if (isAbsolute(named) || named.includes("/")) return resolve(folder, named.replace(/^~(?=\/)/, host.home))
  const here = resolve(folder, named)
  return existsSync(here) ? here : join(host.home, ".foundry", "keystores", named)
}

/** Returns the source of the key for a chain family, or `undefined` if no key is configured. */
export const sourceOf = (family: Chain.Family): Effect.Effect<Source | undefined, KeyError, Settings> =>
  Effect.gen(function* () {
    const settings = yield* Settings
    const host = yield* Host
    if (settings.devnetFile !== undefined) return yield* devnetSource(settings, family)
    if (variable(host, variables[family]) !== undefined) return { kind: "environment", variable: variables[family] }
    const named = settings.keys[family]
    if (named === undefined) return undefined
    const folder = resolve(settings.configFile, "..")
    if (named.env !== undefined) return { kind: "environment", variable: named.env }
    if (named.file !== undefined)
      return { kind: "file", path: resolve(folder, named.file.replace(/^~(?=\/)/, host.home)) }
    return "keystore" in named && named.keystore !== undefined
      ? { kind: "keystore", path: keystorePath(host, folder, named.keystore) }
      : undefined
  })

const requiredSource = (family: Chain.Family) =>
  Effect.flatMap(sourceOf(family), (source) =>
    source === undefined
      ? Effect.fail(
          fail(
            `There is no key for ${familyName[family]} chains.`,
            `Set ${variables[family]}, add a key with geoswap init, or use a devnet with --devnet.`
          )
        )
      : Effect.succeed(source)
  )

/** Reads the keystore password from the environment, from a file, or from a prompt. */
const password = (path: string) =>
  Effect.gen(function* () {
    const host = yield* Host
    const fromEnvironment = variable(host, "GEOSWAP_KEYSTORE_PASSWORD")
    if (fromEnvironment !== undefined) return Redacted.make(fromEnvironment, { label: "password" })
    const file = variable(host, "GEOSWAP_KEYSTORE_PASSWORD_FILE")
    if (file !== undefined) {
      const bytes = yield* readSecret(resolve(host.folder, file), "The password")
      // Editors add a final newline that is not part of the password.
      return Redacted.make(new TextDecoder().decode(bytes).replace(/\r?\n$/, ""), { label: "password" })
    }
    return yield* Prompts.secret(
      `Password for ${path}`,
      "Set GEOSWAP_KEYSTORE_PASSWORD or GEOSWAP_KEYSTORE_PASSWORD_FILE."
    )
  })

/** Reads a keystore. A keystore is encrypted, so the mode of its file is not checked. */
export const readKeystore = (path: string) =>
  Effect.flatMap(
    Effect.try({
      try: () => readFileSync(path, "utf8"),
      catch: (cause) =>
        new FileProblem({
          message: `The keystore ${path} cannot be read: ${describeFileError(cause)}.`,
          next: "Choose another one with geoswap init."
        })
    }),
    (text) => parse(text, path)
  )

const readKey = Effect.fnUntraced(function* (source: Exclude<Source, { kind: "keystore" }>) {
  const host = yield* Host
  switch (source.kind) {
    case "devnet":
      return source.wallet.privateKey
    case "file":
      return Redacted.make(new TextDecoder().decode(yield* readSecret(source.path, "The key")))
    case "environment": {
      const text = variable(host, source.variable)
      return text === undefined
        ? yield* fail(`The environment variable ${source.variable} is not set.`, "Set it, or use another key.")
        : Redacted.make(text)
    }
  }
})

/** Returns the bytes of an EVM key. The caller must wipe them. */
const evmBytes = Effect.fnUntraced(function* (source: Source) {
  if (source.kind === "keystore") {
    const keystore = yield* readKeystore(source.path)
    return yield* decrypt(keystore, yield* password(source.path))
  }
  const bytes = parseEvmKey(Redacted.value(yield* readKey(source)))
  return (
    bytes ??
    (yield* fail(`There is no EVM key in ${describeSource(source)}.`, "Expected 0x followed by 64 hex digits."))
  )
})

const invalidWallet = (wallet: string) => {
  const problem = checksumProblem(wallet)
  return problem === undefined
    ? fail("--wallet is not an address.", "Wallet names work only with --devnet.")
    : fail(`--wallet is not an address: ${problem.what}`, problem.next)
}

/** Checks that the key belongs to the address in `--wallet`, so that no other key is used to sign. */
const checkWallet = Effect.fnUntraced(function* (family: Chain.Family, address: string) {
  const { devnetFile, wallet } = yield* Settings
  if (devnetFile !== undefined || wallet === undefined) return
  if (!Chain.isAddress("evm", wallet) && !Chain.isAddress("solana", wallet)) return yield* invalidWallet(wallet)
  if (Chain.isAddress(family, wallet) && !Chain.sameAddress(family, wallet, address)) {
    return yield* fail(
      `The key belongs to a different wallet: expected ${wallet} (--wallet), got ${address}.`,
      "Use the key for that wallet."
    )
  }
})

/** Opens the EVM key as a viem account. */
export const evm = Effect.gen(function* () {
  const source = yield* requiredSource("evm")
  const bytes = yield* evmBytes(source)
  const account = yield* Effect.tryPromise({
    try: async () => {
      const { privateKeyToAccount } = await import("viem/accounts")
      return privateKeyToAccount(`0x${Buffer.from(bytes).toString("hex")}`)
    },
    catch: () =>
      fail(
        `There is no EVM key in ${describeSource(source)}.`,
        "Expected a secp256k1 key: 0x followed by 64 hex digits."
      )
  })
  bytes.fill(0)
  yield* checkWallet("evm", account.address)
  return { account, address: account.address, source }
}).pipe(Effect.withSpan("Keys.evm"))

/** Opens the Solana key as a WebCrypto key pair that cannot be exported. */
export const solana = Effect.gen(function* () {
  const source = yield* requiredSource("solana")
  const refuse = () =>
    fail(
      `There is no Solana key in ${describeSource(source)}.`,
      "Expected 64 bytes in base58, or the byte array that solana-keygen writes."
    )
  if (source.kind === "keystore") return yield* refuse()
  const bytes = parseSolanaKey(Redacted.value(yield* readKey(source)))
  if (bytes === undefined) return yield* refuse()
  const opened = yield* Effect.tryPromise({
    try: async () => {
      const { createKeyPairFromBytes, getAddressFromPublicKey } = await import("@solana/kit")
      const keyPair = await createKeyPairFromBytes(bytes)
      return { keyPair, address: await getAddressFromPublicKey(keyPair.publicKey) }
    },
    catch: refuse
  })
  bytes.fill(0)
  yield* checkWallet("solana", opened.address)
  return { ...opened, source }
}).pipe(Effect.withSpan("Keys.solana"))

/**
 * Returns the address that belongs to a key source, without asking for a password. Returns `undefined` if the address
 * cannot be determined without the password.
 */
const addressOfSource = Effect.fnUntraced(function* (family: Chain.Family, source: Source) {
  if (source.kind === "devnet") return source.wallet.address
  if (source.kind !== "keystore") return family === "evm" ? (yield* evm).address : (yield* solana).address
  const { address } = yield* readKeystore(source.path)
  const hex = `0x${(address ?? "").replace(/^0x/, "")}`
  return Chain.isAddress("evm", hex) ? hex : undefined
})

/**
 * Returns the address in `--wallet`. Returns `{ address: undefined }` if that wallet belongs to the other chain family.
 */
const namedAddress = Effect.fnUntraced(function* (family: Chain.Family) {
  const { devnetFile, wallet, wallets } = yield* Settings
  if (wallet === undefined) return undefined
  if (devnetFile !== undefined) {
    const named = findWallet(wallets, wallet)
    // An unknown wallet causes an error later, when its key is opened.
    return named === undefined || named.kind === family ? undefined : { address: undefined }
  }
  if (Chain.isAddress(family, wallet)) return { address: wallet }
  if (Chain.isAddress(family === "evm" ? "solana" : "evm", wallet)) return { address: undefined }
  return yield* invalidWallet(wallet)
})

/**
 * Returns the wallet address for a chain family, for commands that do not sign. The address comes from `--wallet`, the
 * keystore or the key. Returns `undefined` if none of them provides an address.
 */
export const addressOf = Effect.fnUntraced(function* (family: Chain.Family) {
  const named = yield* namedAddress(family)
  if (named !== undefined) return named.address
  const source = yield* sourceOf(family)
  if (source === undefined) return undefined
  return (yield* addressOfSource(family, source)) ?? (yield* evm).address
})

/** Whether the wallet in `--wallet` belongs to the other chain family. */
export const isOtherFamily = (family: Chain.Family) =>
  Effect.map(namedAddress(family), (named) => named !== undefined && named.address === undefined)

/**
 * Like `addressOf`, but without asking for a password. Also returns `undefined` if the address cannot be determined
 * without the password.
 */
export const addressWithoutPassword = Effect.fnUntraced(function* (family: Chain.Family) {
  const named = yield* namedAddress(family)
  if (named !== undefined) return named.address
  const source = yield* sourceOf(family)
  return source && (yield* addressOfSource(family, source))
})

/** Returns the address that belongs to the key of a chain family, whatever `--wallet` names. Asks for no password. */
export const ownAddress = Effect.fnUntraced(function* (family: Chain.Family) {
  const source = yield* sourceOf(family)
  return source && (yield* addressOfSource(family, source))
})
