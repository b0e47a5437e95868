/** The GeoSwap service on Node, for programs that run it themselves. */
export * as DevnetConfig from "./DevnetConfig.js"
export * as NodeHttp from "./NodeHttp.js"
export * as Notifications from "./Notifications.js"
export * as Postgres from "./Postgres.js"
export * as Secrets from "./Secrets.js"
export * as Server from "./Server.js"
export * as Sqlite from "./Sqlite.js"
export * as Storage from "./Storage.js"
