import type { ModalView } from '@slack/types';
import { ask } from '../../model/request.ts';
import type { SlackParts } from '../parts.ts';
import { resolvePrincipal } from '../people/resolve-principal.ts';
import { settingsView } from './settings-view.ts';

/** The form of somebody's settings, with what they chose and what they can choose. */
export async function makeSettings(
  account: string,
  parts: Pick<SlackParts, 'accounts' | 'channels' | 'people' | 'reporting' | 'settings'>,
): Promise<ModalView> {
  const { reporting, settings, channels } = parts;
  const principal = await resolvePrincipal(account, parts);
  const everything = ask({ principal, reportType: 'statusCount', selection: { by: 'jql', jql: '' } });
  const [preferences, calendars, contents] = await Promise.all([
    channels.preferences(account),
    settings.calendars(principal),
    reporting.audienceScope(everything),
  ]);
  return settingsView(preferences, { calendars, projects: contents?.projects ?? null });
}
