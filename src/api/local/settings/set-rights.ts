import { AppError } from '../../../model/error.ts';
import type { Asker } from '../../../model/request.ts';
import type { ParameterSet } from '../../../model/settings.ts';
import type { Setting, SettingsApi } from '../../settings.ts';
import { adminsOnly, CALENDARS, FORMATS } from './admins-only.ts';
import { quoted } from './quoted.ts';

/** Whether a set is the asker's to read. */
export function maySee(asker: Asker, set: ParameterSet): boolean {
  return set.public || asker.admin || set.ownerId === asker.user;
}

/** `not-allowed` for who may not change it. */
export function ownersOnly(asker: Asker, { id, ownerId }: ParameterSet): void {
  if (asker.admin || ownerId === asker.user) return;
  throw new AppError('not-allowed', 'Forbidden', [
    `parameter set '${id}' belongs to '${ownerId}'; only its owner and administrators may change it.`,
  ]);
}

/** Fails for who may not change a setting; `parameterSet` finds a set that the asker may see. */
export async function permitSetting(
  asker: Asker,
  setting: Setting,
  parameterSet: SettingsApi['parameterSet'],
): Promise<void> {
  if (setting === 'calendars') adminsOnly(asker, CALENDARS);
  else if (setting === 'formats') adminsOnly(asker, FORMATS);
  else ownersOnly(asker, await parameterSet(asker, setting.parameterSet));
}

/** The same for a set that is not there and for one that the asker may not see. */
export function unknownSet(id: string): AppError {
  return new AppError('not-found', 'The parameter set could not be found.', [
    `parameter set ${quoted(id)} could not be found; allowed: the ids that GET /rest/parameterSets tells.`,
  ]);
}
