/** The Transport port of `@geoswap/core` over `fetch`. */
export * as FetchTransport from "./FetchTransport.js"
export { fetchTransport, type FetchTransportOptions } from "./promise.js"
