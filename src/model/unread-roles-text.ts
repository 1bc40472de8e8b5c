/** That issues are closed because whom they are restricted to was not read; null: there are none. */
export function unreadRolesText(count: number): string | null {
  if (count === 0) return null;
  const [were, them, files] =
    count === 1
      ? ['1 issue was', 'it', 'its file is']
      : [`${count.toLocaleString('en-US')} issues were`, 'them', 'their files are'];
  return `${were} read by a version of Dwell that did not know "restrict to roles". Until ${files} imported again (Jira is read again by itself), only admins, reporter and assignee see ${them}.`;
}
