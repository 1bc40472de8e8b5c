import { type DelegationPermissions, EVERYONE } from '../../model/delegation.ts';
import type { Command } from '../command.ts';
import type { Known } from '../known.ts';
import { NOBODY, permittedList } from '../permitted-list.ts';
import { printable } from '../printable.ts';
import { readOptions } from '../read-options.ts';
import { trackerInUse } from '../tracker-in-use.ts';
import { viewerName } from '../viewer-name.ts';

/** Lists who may see and change which delegations of the tracker in use, or says so anew. */
export const delegates: Command = {
  name: 'delegates',
  usage: 'delegates [--view LIST] [--view-all LIST] [--edit-all LIST]',
  summary:
    'list who may view their own delegations, view all, or edit all, or say it anew; LIST is everyone, nobody, USER[,USER…], or +USER[,-USER…] to add and take away; USER is a user or a group',
  async run(args, { delegationAccess, people, tracker, out }) {
    const { values } = readOptions(
      args,
      delegates.usage,
      { view: { type: 'string' }, 'view-all': { type: 'string' }, 'edit-all': { type: 'string' } },
      { signs: true },
    );
    const known = { groups: await delegationAccess.groups(), users: await people.users() };
    const kept = await delegationAccess.permissions();
    const wish = {
      ...listed('view', '--view', values.view, kept, known),
      ...listed('viewAll', '--view-all', values['view-all'], kept, known),
      ...listed('editAll', '--edit-all', values['edit-all'], kept, known),
    };
    const permissions = { ...kept, ...wish };
    if (Object.keys(wish).length > 0) await delegationAccess.putPermissions(permissions);
    out(`Delegations of ${trackerInUse(await tracker())}; its admins may view and edit all.`);
    for (const line of linesOf(permissions, known)) out(printable(line));
    return 0;
  },
};

/** One list of the permissions as an option says it; nothing where it says nothing. */
function listed(
  permission: keyof DelegationPermissions,
  option: string,
  text: string | undefined,
  kept: DelegationPermissions,
  known: Known,
): Partial<DelegationPermissions> {
  if (text === undefined) return {};
  return { [permission]: permittedList(option, text, kept[permission], known) };
}

function linesOf({ view, viewAll, editAll }: DelegationPermissions, known: Known): string[] {
  const names = (list: readonly string[]) =>
    list.length === 0
      ? NOBODY
      : list.map((id) => (id === EVERYONE ? id : viewerName(id, known, 'not known there'))).join(', ');
  return [
    `View their own  ${names(view)}`,
    `View all        ${names(viewAll)}`,
    `Edit all        ${names(editAll)}`,
  ];
}
