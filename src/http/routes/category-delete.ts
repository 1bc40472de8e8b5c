import { z } from 'zod';
import { defineRoute } from '../define-route.ts';
import { delegationPaths } from '../delegation/delegation-paths.ts';
import { recordId } from '../parameters/record-id.ts';

/** Removes a category that no delegation ever named. */
export const categoryDelete = defineRoute({
  methods: ['delete'],
  paths: delegationPaths('category/:id'),
  guarded: true,
  dialect: 'record',
  section: 'Delegations',
  summary: 'Delete a category that no delegation names or named, with the right to edit all',
  parameters: z.object({ id: recordId('category') }),
  answers: {
    description: 'It is gone.',
    content: {},
    failures: [403, 404],
  },
  async answer({ id }, principal, { delegations }) {
    await delegations.deleteCategory(principal, id);
    return { status: 204, body: undefined };
  },
});
