import type { SettingsApi } from '../../settings.ts';
import type { TisClient } from './create-tis-client.ts';

/** The settings of the service elsewhere; `local` keeps what it does not tell. */
export function createHostedSettings(_client: TisClient, _local: SettingsApi): SettingsApi {
  throw new Error('to come');
}
