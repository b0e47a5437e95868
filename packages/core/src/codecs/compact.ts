/** Removes undefined fields. */

/** Returns the object without its undefined fields, for types that distinguish missing fields from undefined ones. */
export const compact = <T extends object>(
  fields: T
): { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
} => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
