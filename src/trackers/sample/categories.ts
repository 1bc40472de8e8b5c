import type { Category } from '../../model/delegation.ts';

const category = (id: number, name: string, description: string): Category => ({ id, name, description });

export const expense = category(1, 'Expense', 'Travel, equipment and refunds to customers');
export const releases = category(2, 'Releases', 'Whether a version of the app goes out');
export const support = category(3, 'Support', 'What customers and shops ask the service desk');

/** What the company delegates apart from everything else, by id. */
export const categories: readonly Category[] = [expense, releases, support];
