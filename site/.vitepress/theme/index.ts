import type { Theme } from "vitepress";
import DefaultTheme from "vitepress/theme-without-fonts";
import { defineAsyncComponent } from "vue";
import TryIt from "../../components/console/TryIt.vue";
import Layout from "../../components/Layout.vue";
import "./style.css";

export default {
  extends: DefaultTheme,
  Layout,
  enhanceApp: ({ app }) => {
    app.component("TryIt", TryIt);
    // Loaded on its page only, because it has the whole code of the HTML report.
    app.component(
      "ReportViewer",
      defineAsyncComponent(() => import("../../components/reports/ReportViewer.vue")),
    );
  },
} satisfies Theme;
