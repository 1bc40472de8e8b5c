import { createDelegations } from '../../../src/api/delegations/create-delegations.ts';
import type { DelegationQuery, DelegationRecords } from '../../../src/api/delegations/delegation-api.ts';
import { type DelegationPermissions, defaultDelegationPermissions } from '../../../src/model/delegation.ts';
import type { Principal } from '../../../src/model/request.ts';
import { type LocalWorld, localRecords } from '../../support/local-records.ts';
import { principalOf } from '../../support/principal-of.ts';

export const ada: Principal = principalOf('ada', 'admin');
export const bob: Principal = principalOf('bob');
export const carl: Principal = principalOf('carl');
export const dora: Principal = principalOf('dora');
export const erin: Principal = principalOf('erin');
/** Has a token, but is nobody the tracker knows. */
export const stranger: Principal = principalOf('zed');

/** The delegation port over local records. `hosted`: as if the tracker stored them. */
export async function anOffice(
  told: Partial<LocalWorld> = {},
  {
    permissions = {},
    hosted = false,
  }: { readonly permissions?: Partial<DelegationPermissions>; readonly hosted?: boolean } = {},
) {
  const local = await localRecords(told);
  const apiOver = (records: DelegationRecords) =>
    createDelegations({
      records,
      permissions: async () => ({ ...defaultDelegationPermissions, ...permissions }),
      groups: async () => [{ id: 'web-team', name: 'Web Team', members: ['carl'] }],
      users: local.users,
      now: () => local.world.now,
    });
  return { ...local, apiOver, api: apiOver(hosted ? { ...local.records, own: null } : local.records) };
}

/** A query of all delegations. */
export const everyDelegation: DelegationQuery = {
  includeExpired: true,
  delegator: null,
  delegate: null,
  notes: '',
  start: 0,
  size: 100,
};

/** The kind and the words of a refusal, or what was not refused. */
export async function refusal(asked: Promise<unknown>): Promise<unknown> {
  return asked.then(
    (answer) => ({ answer }),
    ({ code, message, details }) => [code, message, ...details],
  );
}
