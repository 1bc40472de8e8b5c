import type { SetCategory, TrackerLists } from '../../mirror/lists/tracker-lists.ts';
import { AppError, about, badRequestAs, quoted } from '../../model/error.ts';
import type { Instant, Status, StatusCategory } from '../../model/issue.ts';
import { foldedName } from '../../model/issues/ids-and-names.ts';
import type { Principal } from '../../model/request.ts';
import type { ReportingApi } from '../reporting/reporting-api.ts';
import { adminsOnly } from './settings-api.ts';

/** A status with what an admin has set; null where no one has, or where it is not known who did. */
export interface StatusSetting {
  readonly status: Status;
  readonly set: SetCategory | null;
}

/** The categories that people can set. */
export const settableCategories = ['To Do', 'In Progress', 'Done'] as const;
export type SettableCategory = Extract<StatusCategory, (typeof settableCategories)[number]>;

/** The port of categories that admins set for statuses to which the tracker gives none. Admins only. */
export interface StatusCategories {
  /** Fails as a change would for someone who cannot make any. */
  permit(principal: Principal): Promise<void>;
  /** Every status in workflow order. */
  list(principal: Principal): Promise<readonly StatusSetting[]>;
  /**
   * Sets the category of a status, by id or by a name that only one has; null takes it back. It counts from the next question
   * on. Fails with `unknown-status`, and with `decided-by-tracker` where the tracker gives the category.
   */
  put(principal: Principal, status: string, category: SettableCategory | null): Promise<StatusSetting>;
}

/** The parts of the port; `store` is that of the tracker in use. */
interface StatusCategoriesParts {
  readonly reporting: Pick<ReportingApi, 'statuses'>;
  readonly store: () => Promise<Pick<TrackerLists, 'setCategories' | 'putCategory'>>;
  /** The figures come from a service elsewhere, which has categories of its own. */
  readonly isHosted: boolean;
  readonly now: () => Instant;
}

/** The port over the store of the tracker in use. */
export function createStatusCategories({
  reporting,
  store,
  isHosted,
  now,
}: StatusCategoriesParts): StatusCategories {
  const list = async (principal: Principal): Promise<readonly StatusSetting[]> => {
    adminsOnly(principal, 'statuses');
    const set = await (await store()).setCategories();
    return (await reporting.statuses(principal)).map((status) => ({
      status,
      set: status.categorySource === 'admin' ? (set.get(status.id) ?? null) : null,
    }));
  };
  return {
    permit: async (principal) => adminsOnly(principal, 'statuses'),
    list,
    async put(principal, named, category) {
      const { status, set } = statusNamed(named, await list(principal));
      if (isHosted) {
        const sentence = 'The time-in-status service has the categories of statuses.';
        throw new AppError('unsupported-by-service', sentence);
      }
      if (category === null && set === null) return { status, set };
      if (status.category !== 'Undefined' && status.categorySource === undefined) {
        const problem = `${quoted(status.name)} is ${status.category} in the tracker. Change it there.`;
        throw badRequestAs('decided-by-tracker', about('status', problem), { value: status.id });
      }
      await (await store()).putCategory(status.id, category, { by: principal.account, at: now() });
      return statusNamed(status.id, await list(principal));
    },
  };
}

function statusNamed(text: string, all: readonly StatusSetting[]): StatusSetting {
  const wanted = text.trim();
  const byId = all.find(({ status }) => status.id === wanted);
  if (byId !== undefined) return byId;
  const [found, ...others] = all.filter(({ status }) => foldedName(status.name) === foldedName(wanted));
  if (found !== undefined && others.length === 0) return found;
  const data = { kind: 'status', value: wanted };
  if (found === undefined) {
    const problem = about(
      'status',
      `${quoted(wanted)} is not a status. Try: the id or name of one that is listed.`,
    );
    throw new AppError('unknown-status', 'The status could not be found.', [problem], { data });
  }
  const ids = [found, ...others].map(({ status }) => status.id);
  const problem = `${quoted(wanted)} is the name of several statuses. Try: one of the ids ${ids.join(', ')}.`;
  throw badRequestAs('ambiguous-name', about('status', problem), data);
}
