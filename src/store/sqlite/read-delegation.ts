import type { Delegation, DelegationInput } from '../../model/delegation.ts';
import { parseDocument } from './parse-document.ts';

/** The delegation of a row that holds one version. */
export function readDelegation(row: Record<string, unknown>): Delegation {
  return {
    ...parseDocument<DelegationInput>(row.document),
    id: Number(row.id),
    version: Number(row.version),
  };
}
