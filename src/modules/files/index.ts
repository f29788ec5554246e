export { fileUrlsFor, OPERATOR_FILES, SHARED_DRAWINGS } from './file-url.ts';
export { formParts } from './form-parts.ts';
export { type Form, type FormFile, installForms, openUpload, readForm, refuseForm } from './read-form.ts';
export { startUpload, type Upload } from './receive-files.ts';
export { abandonFiles, type FileTools, removeUnclaimed } from './remove-files.ts';
export { fileRoutes } from './routes.ts';
export { PRIVATE_FILE_ANSWER, sendPrivateFile } from './send-private-file.ts';
