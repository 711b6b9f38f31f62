declare module "*.vue" {
  import type { DefineComponent } from "vue";

  const component: DefineComponent;
  // biome-ignore lint/style/noDefaultExport: Vue compiles a component to a default export.
  export default component;
}
