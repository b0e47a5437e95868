/** Returns an object without its `undefined` fields, so that they replace nothing when it is spread. */
export const compact = <A extends object>(fields: A): { readonly [K in keyof A]?: Exclude<A[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
