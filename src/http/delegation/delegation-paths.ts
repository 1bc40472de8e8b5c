/** The base of the contract of delegations, then the one that newer versions of the compatible product name. */
export function delegationPaths(rest: string): [string, string] {
  return [`/rest/delegation/api/1.0/${rest}`, `/rest/delegation/1.0/api/${rest}`];
}
