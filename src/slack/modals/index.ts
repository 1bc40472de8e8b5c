import type { SlackModal } from '../modal.ts';
import type { SlackParts } from '../parts.ts';
import { digestForm } from './digest-form.ts';
import { digestNewOwner } from './digest-new-owner.ts';
import { exportForm } from './export-form.ts';
import { homeSettings } from './home-settings.ts';
import { reportBuilder } from './report-builder.ts';
import { setDelegation } from './set-delegation.ts';
import { snoozeUntil } from './snooze-until.ts';
import { watchForm } from './watch-form.ts';

/** Every kind of modal there is; a new one is one file and one line here. */
export const modals: readonly SlackModal<SlackParts>[] = [
  exportForm,
  setDelegation,
  homeSettings,
  digestForm,
  digestNewOwner,
  reportBuilder,
  snoozeUntil,
  watchForm,
];
