/** Why nobody can tell what being in a status (its title) means for the work, and what helps. */
export function categoryUnknown(title: string): string {
  return `the category of '${title}' is not known; import the tracker's list of statuses`;
}
