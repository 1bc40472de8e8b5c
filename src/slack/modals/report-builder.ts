import { answerBuilder } from '../builder/answer-builder.ts';
import { readBuilder, wrongInBuilder } from '../builder/builder-form.ts';
import type { SlackModal } from '../modal.ts';
import type { BuilderParts } from '../parts.ts';

/** The report builder, submitted: the answer comes where it was opened; it comes back with what was wrong. */
export const reportBuilder: SlackModal<BuilderParts> = {
  id: 'report-builder',
  title: 'Report builder',
  meanwhile: 'Asking…',
  wrongAtOnce(submission, now) {
    const form = readBuilder(submission);
    return Object.fromEntries(
      Object.entries(wrongInBuilder(form, now)).map(([field, sentence]) => [
        `${field}.${form.filled}`,
        sentence,
      ]),
    );
  },
  placeOf: (submission) => readBuilder(submission).place,
  answer: (submission, parts) => answerBuilder(readBuilder(submission), submission, parts),
};
