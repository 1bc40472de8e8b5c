import { type DelegationPermissions, EVERYONE } from '../../model/delegation.ts';
import { badRequest } from '../../model/error.ts';
import type { Command } from '../command.ts';
import type { Known } from '../known.ts';
import { printable } from '../printable.ts';
import { readOptions } from '../read-options.ts';
import { trackerInUse } from '../tracker-in-use.ts';
import { viewerIds } from '../viewer-ids.ts';
import { viewerName } from '../viewer-name.ts';

const NOBODY = 'nobody';

/** Lists who may see and change which delegations of the tracker in use, or says so anew. */
export const delegates: Command = {
  name: 'delegates',
  usage: 'delegates [--view LIST] [--view-all LIST] [--edit-all LIST]',
  summary:
    'list who may view their own delegations, view all, or edit all, or say it anew; LIST is USER[,USER…], everyone or nobody',
  async run(args, { delegationAccess, people, tracker, out }) {
    const { values } = readOptions(args, delegates.usage, {
      view: { type: 'string' },
      'view-all': { type: 'string' },
      'edit-all': { type: 'string' },
    });
    const known = { groups: await delegationAccess.groups(), users: await people.users() };
    const wish = {
      ...listed('view', '--view', values.view, known),
      ...listed('viewAll', '--view-all', values['view-all'], known),
      ...listed('editAll', '--edit-all', values['edit-all'], known),
    };
    const kept = await delegationAccess.permissions();
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
  known: Known,
): Partial<DelegationPermissions> {
  if (text === undefined) return {};
  const word = text.trim().toLowerCase();
  if (word === NOBODY) return { [permission]: [] };
  if (word === EVERYONE) return { [permission]: [EVERYONE] };
  const ids = viewerIds(option, text, known);
  const alone = ids.find((id) => id === EVERYONE || id === NOBODY);
  if (alone === undefined) return { [permission]: ids };
  throw badRequest(
    `${option} '${text}' says ${alone} and others; allowed: ${alone} alone, or ids of users and groups.`,
  );
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
