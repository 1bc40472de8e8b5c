import type { SlackMenu } from '../menu.ts';
import type { SlackParts } from '../parts.ts';
import { builderCalendar } from './builder-calendar.ts';
import { builderGroup } from './builder-group.ts';
import { builderSavedMenu } from './builder-saved.ts';

/** Every menu that is searched; a new one is one file and one line here. */
export const menus: readonly SlackMenu<SlackParts>[] = [builderCalendar, builderGroup, builderSavedMenu];
