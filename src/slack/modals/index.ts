import type { SlackModal } from '../modal.ts';
import { exportForm } from './export-form.ts';
import { setDelegation } from './set-delegation.ts';

/** Every kind of modal there is; a new one is one file and one line here. */
export const modals: readonly SlackModal[] = [exportForm, setDelegation];
