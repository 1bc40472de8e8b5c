import type { AuditEntry } from '../model/audit.ts';
import { isoText } from '../time/date-text.ts';

/** An entry of the audit log as JSON: its subject with its kind; instants, and facts whose names end in At, are ISO 8601 in UTC. */
export function auditData({ id, at, actor, via, tokenId, requestId, action, subject, facts }: AuditEntry) {
  const [kind = ''] = action.split('.');
  const who = { actor, via, tokenId, requestId };
  const dated = Object.entries(facts).map(([name, value]) => [name, datedFact(name, value)]);
  return {
    id,
    at: isoText(at),
    ...who,
    action,
    subject: { kind, id: subject },
    facts: Object.fromEntries(dated),
  };
}

/** A fact with its instants as texts; values before and after a change are called what the change is called. */
function datedFact(name: string, value: unknown): unknown {
  if (typeof value === 'number' && name.endsWith('At')) return isoText(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([member, one]) => {
      const isSide = member === 'from' || member === 'to';
      return [member, datedFact(isSide ? name : member, one)];
    }),
  );
}
