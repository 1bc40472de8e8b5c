import type { FieldName } from '../../model/directory.ts';

/** The member `names` of a search answer (`expand=names`): titles by field id. */
export function readNames(raw: unknown): FieldName[] {
  if (raw === null || typeof raw !== 'object') return [];
  return Object.entries(raw).flatMap(([id, name]: [string, unknown]) =>
    typeof name === 'string' && name !== '' ? [{ id, name }] : [],
  );
}
