/** Whether two lists have the same entries in the same order. */
export function isSameList<One>(a: readonly One[], b: readonly One[]): boolean {
  return a === b || (a.length === b.length && a.every((one, i) => one === b[i]));
}
