import type { ModalView } from '@slack/types';
import { ask } from '../../model/request.ts';
import type { DoorParts } from '../command.ts';
import { askerOf } from '../people/asker-of.ts';
import { settingsView } from './settings-view.ts';

/** The form of somebody's settings, with what they chose and what they can choose. */
export async function makeSettings(account: string, parts: DoorParts): Promise<ModalView> {
  const { reporting, settings, channels } = parts;
  const asker = await askerOf(account, parts);
  const everything = ask({ asker, reportType: 'statusCount', selection: { by: 'jql', jql: '' } });
  const [preferences, calendars, contents] = await Promise.all([
    channels.preferences(account),
    settings.calendars(asker),
    reporting.contents(everything),
  ]);
  return settingsView(preferences, { calendars, projects: contents?.projects ?? null });
}
