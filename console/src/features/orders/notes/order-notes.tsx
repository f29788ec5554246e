import type { Schemas } from '@dukkan/sdk';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useFormat, useWords } from '../../../i18n/index.ts';
import { useApi, useDraft, useExplainError, useMay, useRead, useReadAgain, useScope } from '../../../platform/index.ts';
import { Button, Card, ConfirmDialog, Field, Loaded, showToast } from '../../../ui/index.ts';
import './notes.css';
import { notesWords } from './words.ts';

type Note = Schemas['OrderNote'];

const MAX_CHARACTERS = 2_000;
const FIRST_SHOWN = 20;
const MAX_SHOWN = 100;

/** What the team writes about an order. A typed note survives a reload. */
export function OrderNotes({ orderId }: { orderId: string }): ReactNode {
  const t = useWords(notesWords);
  const may = useMay();
  const [limit, setLimit] = useState(FIRST_SHOWN);
  const notes = useRead('listOrderNotes', { path: { id: orderId }, query: { limit } }, { keepPrevious: true });
  return (
    <Card title={t('notes')} tools={<span className="soft small">{t('notesHint')}</span>}>
      <div className="order-notes">
        <Loaded of={notes} rows={2}>
          {({ data, total_count }) => (
            <>
              {data.length > 0 && (
                <ol className="order-notes-list">
                  {data.map((note) => (
                    <OneNote key={note.id} note={note} />
                  ))}
                </ol>
              )}
              {total_count > data.length && limit < MAX_SHOWN && (
                <Button look="quiet" size="small" onPress={() => setLimit(MAX_SHOWN)}>
                  {t('earlier', { count: total_count - data.length })}
                </Button>
              )}
            </>
          )}
        </Loaded>
        {may('update:Orders') && <NewNote orderId={orderId} />}
      </div>
    </Card>
  );
}

function NewNote({ orderId }: { orderId: string }): ReactNode {
  const t = useWords(notesWords);
  const explain = useExplainError();
  const { values: body, setValues: setBody, clear } = useDraft(`order-note.${orderId}`, '');
  const addNote = useAddNote(orderId);
  const add = useMutation({
    mutationFn: () => addNote(body),
    onSuccess: () => {
      clear('');
      showToast({ tone: 'good', text: t('added') });
    },
  });
  const isTooLong = [...body.trim()].length > MAX_CHARACTERS;
  const error = isTooLong
    ? t('tooLong', { limit: MAX_CHARACTERS })
    : add.isError
      ? explain(add.error).title
      : undefined;
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (body.trim() !== '' && !isTooLong && !add.isPending) add.mutate();
  }
  return (
    <form className="order-notes-new" onSubmit={submit}>
      <Field label={t('newNote')} value={body} onChange={setBody} lines={2} error={error} />
      <Button type="submit" isPending={add.isPending} isDisabled={body.trim() === ''}>
        {t('add')}
      </Button>
    </form>
  );
}

function useAddNote(orderId: string): (body: string) => Promise<void> {
  const api = useApi();
  const readAgain = useReadAgain();
  return async (body) => {
    await api.call('addOrderNote', { path: { id: orderId }, body: { body } });
    await readAgain('listOrderNotes');
  };
}

function OneNote({ note }: { note: Note }): ReactNode {
  const t = useWords(notesWords);
  const { dateTime } = useFormat();
  const may = useMay();
  const { userId } = useScope();
  const { author } = note;
  const isOwn = author.kind === 'user' && author.id === userId;
  const name = author.kind === 'api_key' ? t('apiKey', { name: author.name }) : author.name;
  const isDeletable = may('update:Orders') && (isOwn || may('update:Settings'));
  return (
    <li className="order-note">
      <p dir="auto">{note.body}</p>
      <div className="order-note-foot">
        <span className="soft small">
          <bdi>{name}</bdi> · <time dateTime={note.created}>{dateTime(note.created)}</time>
        </span>
        {isDeletable && <DeleteNote note={note} name={name} isOwn={isOwn} />}
      </div>
    </li>
  );
}

/** The user's own note is deleted at once and can be written again by an undo. Notes of others could not, so it asks first. */
function DeleteNote({ note, name, isOwn }: { note: Note; name: string; isOwn: boolean }): ReactNode {
  const t = useWords(notesWords);
  const { dateTime } = useFormat();
  const api = useApi();
  const readAgain = useReadAgain();
  const explain = useExplainError();
  const addNote = useAddNote(note.order_id);
  const [isAsking, setAsking] = useState(false);
  const sayError = (error: unknown) => showToast({ tone: 'bad', text: explain(error).title });
  const remove = useMutation({
    mutationFn: () => api.call('deleteOrderNote', { path: { id: note.order_id, noteId: note.id } }),
    onSuccess: async () => {
      const undo = { text: t('undo'), run: () => void addNote(note.body).catch(sayError) };
      showToast({ tone: 'info', text: t('deleted'), ...(isOwn && { action: undo }) });
      await readAgain('listOrderNotes');
    },
    onError: sayError,
    onSettled: () => setAsking(false),
  });
  return (
    <>
      <Button
        look="quiet"
        size="small"
        icon="close"
        aria-label={t('deleteNote', { name, time: dateTime(note.created) })}
        isPending={remove.isPending}
        onPress={() => (isOwn ? remove.mutate() : setAsking(true))}
      />
      <ConfirmDialog
        title={t('deleteTitle')}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => remove.mutate()}
        confirm={t('deleteOthers')}
        isBusy={remove.isPending}
        danger
      >
        <p>{t('deleteText', { name })}</p>
      </ConfirmDialog>
    </>
  );
}
