import type { Finding } from '../../cli/finding.ts';
import type { DoctorContext } from './doctor-context.ts';
import type { SettingGroup } from './examine-settings.ts';

/** One check of an installation. It changes nothing, and knows of no other check. */
export interface Check {
  /** Its name in lines, in JSON and in docs/operations.md, of 12 characters at most. */
  readonly name: string;
  /** The settings without which it cannot be done: while one of them is wrong, it is left out. */
  readonly needs: readonly SettingGroup[];
  /** True where it may take minutes, and so is done on request only, after the others. */
  readonly isSlow?: true;
  /** Returns its findings; an `AppError` that it throws is a problem, in its sentences. */
  run(context: DoctorContext): Promise<readonly Finding[]>;
}
