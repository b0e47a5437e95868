/** Defines `geoswap-server keys`. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { json, requiredArgument, requiredFlag } from "./flags.js"
import { lazyHandler } from "./lazyHandler.js"
import * as Option from "effect/Option"

const load = () => import("./keysHandler.js")

const create = Command.make(
  "create",
  {
    account: requiredFlag("account", {
      metavar: "name",
      description: "Account that the key belongs to; all keys for an account give access to the same swaps",
      expected: "a name",
      // The name is not validated here, because the service validates it.
      parse: (text) => text
    }),
    label: Flag.String("label").pipe(
      Flag.withMetavar("text"),
      Flag.withDescription("Label shown by keys list"),
      Flag.optional,
      Flag.map(Option.getOrUndefined)
    ),
    json
  },
  lazyHandler(async () => (await load()).create)
).pipe(Command.withDescription("Create an API key and print it once"))

const list = Command.make(
  "list",
  { json },
  lazyHandler(async () => (await load()).list)
).pipe(Command.withDescription("List the API keys"))

/** Extracts the id from a key id or a full key. */
const parseKeyId = (text: string) => /^(?:gsk_)?([a-z0-9]{12})(?:_[\w-]{43})?$/.exec(text)?.[1]

const revoke = Command.make(
  "revoke",
  {
    id: requiredArgument("id", {
      description: "Key id, as shown by keys list",
      expected: "12 lowercase letters and digits, as shown by keys list",
      parse: parseKeyId
    }),
    json
  },
  lazyHandler(async () => (await load()).revoke)
).pipe(Command.withDescription("Revoke an API key"))

const seal = Command.make(
  "seal",
  { json },
  lazyHandler(async () => (await load()).seal)
).pipe(Command.withDescription("Print a new sealing key for GEOSWAP_SEAL_KEYS"))

/** Manages API keys, and creates sealing keys. */
export const keys = Command.make("keys").pipe(
  Command.withDescription("Create, list and revoke API keys"),
  Command.withSubcommands([create, list, revoke, seal])
)
