/** That issues are closed because whom they are restricted to was not read; null: there are none. */
export function unreadRolesText(count: number): string | null {
  if (count === 0) return null;
  const were = count === 1 ? '1 issue was' : `${count.toLocaleString('en-US')} issues were`;
  return `${were} read by a Dwell that did not know "restrict to roles". Only admins, reporters and assignees see them until their files are imported again (or Jira is synchronised).`;
}
