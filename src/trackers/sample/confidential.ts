import type { AccessRule } from '../../model/directory.ts';
import type { FieldValue } from '../../model/issue.ts';
import type { Birth } from './birth.ts';
import type { Random } from './random.ts';
import { type Setting, setValue } from './settings.ts';
import { groupOf } from './teams.ts';

const confidential: FieldValue = { id: '10700', name: 'Confidential' };

const SHARE = 0.03;

/** Only the service desk's own people see what is confidential. */
export const confidentialRule: AccessRule = {
  kind: 'level',
  id: confidential.id,
  viewers: [groupOf('OPS').id],
};

/** The security level with which a few service requests are created; no field at all on others. */
export function confidentialSettings({ type }: Birth, random: Random): Setting[] {
  return type === 'Service Request' && random.chance(SHARE) ? [setValue('security', confidential)] : [];
}
