/** A `fetch` implementation of the Transport port from `@geoswap/core`. */
export * as FetchTransport from "./FetchTransport.js"
export { fetchTransport, type FetchTransportOptions } from "./promise.js"
