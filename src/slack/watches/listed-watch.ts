const LISTED = 'listed';

/** What a button beside a watch in the list of somebody's watches carries. */
export function listedWatch(id: string): string {
  return `${id} ${LISTED}`;
}

/** The same, read again; elsewhere such a button carries the id alone. */
export function readListed(value: string): { readonly id: string; readonly isListed: boolean } {
  const [id = '', where] = value.split(' ');
  return { id, isListed: where === LISTED };
}
